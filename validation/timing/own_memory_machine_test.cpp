// SPDX-License-Identifier: Apache-2.0
// Whole kernels on a machine whose device memory is the user's own, the example's among them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/dram_of_your_own/kernel_launch.h"
#include "examples/dram_of_your_own/row_buffer_memory.h"
#include "models/gpu/machine.h"
#include "validation/timing/base_protocol_checker.h"
#include "validation/timing/waiting_memory.h"

namespace stc::timing {
namespace {

constexpr const char* kGemm = "configs/workloads/low_level_gemm.yaml";

/// `channels` memories made by `make`, each behind a checker.
template <class Memory>
struct Channels {
  template <class Make>
  Channels(int channels, Make make) {
    own.channels = channels;
    own.bind = [this, make](int channel, tlm::tlm_initiator_socket<>& socket) {
      memories.push_back(make(("memory" + std::to_string(channel)).c_str()));
      checkers.push_back(std::make_unique<BaseProtocolChecker>(("checker" + std::to_string(channel)).c_str()));
      socket.bind(checkers.back()->from_initiator);
      checkers.back()->to_target.bind(memories.back()->socket);
    };
  }
  int expect_protocol_kept() const {
    int transactions = 0;
    for (const auto& checker : checkers) {
      EXPECT_THAT(checker->broken_rules(), testing::IsEmpty());
      EXPECT_EQ(checker->under_way(), 0u);
      EXPECT_EQ(checker->held(), 0);
      transactions += checker->complete();
    }
    return transactions;
  }
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<BaseProtocolChecker>> checkers;
  gpu::OwnMemory own;
};

Channels<WaitingMemory> waiting_memories(int channels, const WaitingMemoryOptions& options) {
  return {channels, [options](const char* name) { return std::make_unique<WaitingMemory>(name, options); }};
}

TEST(OwnMemoryMachine, AKernelComputesTheSameInAboutTheTimeOfTheBuiltInMemory) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);  // two machines, equal names
  KernelLaunch built_in(kGemm), own(kGemm);
  const memory::HbmParams& hbm = own.gpu.params.memory.hbm;
  WaitingMemoryOptions options;
  options.take = memory::kLineBytes / (hbm.bytes_per_cycle / hbm.channels);
  options.latency = hbm.extra_latency + hbm.far_extra_latency;  // tiles wait for the slowest of their lines
  options.ticks = true;
  auto memories = waiting_memories(hbm.channels, options);
  gpu::Machine with_hbm("with_hbm", built_in.gpu.params, gpu::TensorCoreModel::kSchedule);
  gpu::Machine with_own("with_own", own.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  const gpu::RunStatistics expected = with_hbm.run(built_in.launch);
  for (int launch = 0; launch < 2; ++launch) {
    const gpu::RunStatistics found = with_own.run(own.launch);
    EXPECT_NEAR(static_cast<double>(found.cycles), static_cast<double>(expected.cycles),
                0.12 * static_cast<double>(expected.cycles));
    EXPECT_EQ(found.memory.dram_read_sectors, expected.memory.dram_read_sectors);
    EXPECT_EQ(found.memory.l2_sector_misses, expected.memory.l2_sector_misses);
  }
  EXPECT_EQ(own.memory.find("D")->data, built_in.memory.find("D")->data);
  EXPECT_GT(memories.expect_protocol_kept(), 1000);
}

TEST(OwnMemoryMachine, TheExamplesMemoryKeepsTheProtocolAndItsRowsCount) {
  KernelLaunch kernel(kGemm);
  Channels<RowBufferMemory> memories(2, [](const char* name) { return std::make_unique<RowBufferMemory>(name); });
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  const gpu::RunStatistics run = machine.run(kernel.launch);
  EXPECT_GT(run.cycles, 0u);
  const auto transactions = static_cast<std::uint64_t>(memories.expect_protocol_kept());
  std::uint64_t hits = 0, misses = 0;
  for (const auto& memory : memories.memories) {
    hits += memory->row_hits();
    misses += memory->row_misses();
  }
  EXPECT_EQ(hits + misses, transactions);
  EXPECT_GT(hits, 0u);
}

TEST(OwnMemoryMachine, AMemoryThatNeverAnswersIsNamed) {
  KernelLaunch kernel(kGemm);
  WaitingMemoryOptions options;
  options.silent = true;
  auto memories = waiting_memories(1, options);
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  try {
    machine.run(kernel.launch);
    FAIL() << "it cannot end";
  } catch (const gpu::Deadlock& deadlock) {
    EXPECT_THAT(deadlock.what(), testing::HasSubstr("device memory has not answered"));
  }
}

TEST(OwnMemoryMachine, AMemoryThatTicksAndNeverAnswersIsNamedAtTheLimit) {
  KernelLaunch kernel(kGemm);
  kernel.launch.options.max_cycles = 100000;
  WaitingMemoryOptions options;
  options.silent = options.ticks = true;
  auto memories = waiting_memories(1, options);
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  EXPECT_THROW(
      try { machine.run(kernel.launch); } catch (const gpu::Deadlock& deadlock) {
        EXPECT_THAT(deadlock.what(), testing::HasSubstr("limit of 100000 cycles"));
        EXPECT_THAT(deadlock.what(), testing::HasSubstr("device memory has not answered"));
        throw;
      },
      gpu::Deadlock);
}

/// Longer than any launch here looks for progress.
constexpr double kSlow = 400000;

TEST(OwnMemoryMachine, WhoWaitsForCopiesOfASlowMemoryIsNotCalledStuck) {
  KernelLaunch kernel("validation/timing/own_memory_pipeline.yaml");
  kernel.launch.options.idle_cycles = 100000;
  WaitingMemoryOptions options;
  options.latency = kSlow;
  options.ticks = true;
  auto memories = waiting_memories(1, options);
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  EXPECT_GT(machine.run(kernel.launch).cycles, static_cast<std::uint64_t>(kSlow));
}

// Where the two words lie: R5 holds the upper half of the address.
constexpr std::uint32_t kUpper = 0x7f00, kCounter = 0, kFlag = 512;
constexpr std::uint64_t address_of(std::uint32_t word) { return std::uint64_t{kUpper} << 32 | word; }

isa::Instruction access(isa::Opcode opcode, std::uint32_t word) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.mem.address_register = 4;
  instruction.mem.address_64bit = true;
  instruction.mem.offset = static_cast<std::int32_t>(word);
  instruction.mem.bytes = 4;
  return instruction;
}

/// CTA 0 adds to a word and ends; CTA 1 reads another until it is not 0; CTA 2 stores it, if `stores`.
isa::Kernel wait_for_the_third(bool stores) {
  constexpr std::uint8_t kCta = 0, kValue = 2;
  const auto is_cta = [&](std::uint32_t number, std::uint8_t predicate) {
    isa::Instruction compare;
    compare.opcode = isa::Opcode::kIsetp;
    compare.mod.compare = isa::Compare::kEq;
    compare.a.kind = isa::Operand::Kind::kRegister;
    compare.a.index = kCta;
    compare.b.kind = isa::Operand::Kind::kImmediate;
    compare.b.value = number;
    compare.dest_predicate0 = predicate;
    return compare;
  };
  isa::Instruction index;
  index.opcode = isa::Opcode::kS2r;
  index.dest = kCta;
  index.mod.special_register = 0x25;  // SR_CTAID.X
  index.control.write_scoreboard = 0;
  isa::Instruction upper;
  upper.opcode = isa::Opcode::kMov;
  upper.dest = 5;
  upper.b.kind = isa::Operand::Kind::kImmediate;
  upper.b.value = kUpper;
  isa::Instruction add = access(isa::Opcode::kRed, kCounter);
  add.mem.atomic = isa::AtomicOp::kAdd;
  add.mem.data_register = kCta;
  isa::Instruction store = access(isa::Opcode::kStg, kFlag);
  store.mem.data_register = kCta;
  isa::Instruction load = access(isa::Opcode::kLdg, kFlag);
  load.dest = kValue;
  load.control.write_scoreboard = 1;
  isa::Instruction is_zero = is_cta(0, 2);
  is_zero.a.index = kValue;
  is_zero.control.wait_mask = 2;
  isa::Instruction again;
  again.opcode = isa::Opcode::kBra;
  isa::Instruction exit;
  exit.opcode = isa::Opcode::kExit;

  isa::Kernel kernel;
  kernel.name = "wait_for_the_third";
  kernel.registers = 8;
  kernel.constant0.resize(0x210);
  const auto append = [&kernel](isa::Instruction instruction, int predicate = isa::kPredicateTrue) {
    instruction.guard.index = static_cast<std::uint8_t>(predicate);
    instruction.address = static_cast<std::uint32_t>(kernel.code.size()) * isa::kInstructionBytes;
    instruction.control.stall = 13;
    kernel.code.push_back(instruction);
    return instruction.address;
  };
  append(upper);
  append(index);
  isa::Instruction first = is_cta(0, 0);
  first.control.wait_mask = 1;
  append(first);
  append(is_cta(2, 1));
  append(add, 0);
  append(exit, 0);
  if (stores) append(store, 1);
  append(exit, 1);
  const std::uint32_t loop = append(load);
  append(is_zero);
  again.target = loop;
  append(again, 2);
  append(exit);
  return kernel;
}

/// On one SM with two places, and a memory whose first answer, the sum's, is slow.
void run_wait_for_the_third(bool stores) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu.params.sms = 2;
  gpu.params.sm.occupancy.max_ctas = 1;
  WaitingMemoryOptions options;
  options.spread = kSlow;
  options.ticks = true;
  auto memories = waiting_memories(1, options);
  const isa::Kernel kernel = wait_for_the_third(stores);
  isa::GlobalMemory memory;
  memory.allocate_at(address_of(kCounter), "counter", 4);
  memory.allocate_at(address_of(kFlag), "flag", 4);
  gpu::Launch launch;
  launch.kernel = &kernel;
  launch.grid.x = 3;
  launch.block.x = 32;
  launch.memory = &memory;
  launch.options.idle_cycles = 40000;
  gpu::Machine machine("gpu", gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  machine.run(launch);
}

TEST(OwnMemoryMachine, AnEndedCtaWhoseAtomicIsUnderWayStillGivesUpItsPlace) {
  EXPECT_NO_THROW(run_wait_for_the_third(true));
}

TEST(OwnMemoryMachine, AStandstillIsFoundAlsoWithAMemoryThatTicks) {
  EXPECT_THROW(run_wait_for_the_third(false), gpu::Deadlock);
}

}  // namespace
}  // namespace stc::timing
