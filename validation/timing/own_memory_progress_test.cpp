// SPDX-License-Identifier: Apache-2.0
// What waits for a device memory of the user's own is not taken for a standstill however slow the memory is, and a
// standstill is found beside one that never stops ticking.
#include <gtest/gtest.h>

#include "models/gpu/machine/machine.h"
#include "sim/config/gpu_config.h"
#include "validation/timing/own_memory_channels.h"

namespace stc::timing {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr double kSlow = 400000;  // cycles of an answer
constexpr std::uint64_t kIdle = 40000;

// Two words of global memory. R5 holds the upper half of their addresses, R4 is 0.
constexpr std::uint32_t kUpper = 0x7f00, kCounter = 0, kFlag = 512;
constexpr std::uint64_t address_of(std::uint32_t word) { return std::uint64_t{kUpper} << 32 | word; }

Instruction with_opcode(Opcode opcode, int dest = isa::kRegisterZero) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.dest = static_cast<std::uint8_t>(dest);
  return instruction;
}

Instruction move(int dest, std::uint32_t value) {
  Instruction instruction = with_opcode(Opcode::kMov, dest);
  instruction.b.kind = isa::Operand::Kind::kImmediate;
  instruction.b.value = value;
  return instruction;
}

/// Predicate `p` = register `a` equals `value`.
Instruction equals(int p, int a, std::uint32_t value) {
  Instruction instruction = with_opcode(Opcode::kIsetp);
  instruction.mod.compare = isa::Compare::kEq;
  instruction.a.kind = isa::Operand::Kind::kRegister;
  instruction.a.index = static_cast<std::uint8_t>(a);
  instruction.b.kind = isa::Operand::Kind::kImmediate;
  instruction.b.value = value;
  instruction.dest_predicate0 = static_cast<std::uint8_t>(p);
  return instruction;
}

Instruction global(Opcode opcode, std::uint32_t word, int register_of_data) {
  Instruction instruction = with_opcode(opcode);
  (opcode == Opcode::kLdg ? instruction.dest : instruction.mem.data_register) =
      static_cast<std::uint8_t>(register_of_data);
  instruction.mem.address_register = 4;
  instruction.mem.address_64bit = true;
  instruction.mem.offset = static_cast<std::int32_t>(word);
  return instruction;
}

/// In shared memory, at address 0 or, of a copy, to 64.
Instruction shared(Opcode opcode, int data = isa::kRegisterZero) {
  Instruction instruction = with_opcode(opcode);
  instruction.mem.data_register = static_cast<std::uint8_t>(data);
  instruction.mem.bytes = 8;
  return instruction;
}

class Code {
 public:
  Code() {
    kernel_.name = "built";
    kernel_.sm_version = 90;
    kernel_.registers = 16;
    kernel_.static_shared_bytes = 1024;
    kernel_.constant0.resize(0x210);
    add(move(5, kUpper));
  }
  /// Returns the instruction's address. It waits for scoreboard 0 if `waits`, and releases it if `loads`.
  std::uint32_t add(Instruction instruction, bool waits = false, bool loads = false) {
    instruction.sm = 90;
    instruction.address = static_cast<std::uint32_t>(kernel_.code.size()) * isa::kInstructionBytes;
    instruction.control.stall = 13;
    instruction.control.wait_mask = waits ? 1 : 0;
    if (loads) instruction.control.write_scoreboard = 0;
    kernel_.code.push_back(instruction);
    return instruction.address;
  }
  void add_if(int predicate, bool negate, Instruction instruction) {
    instruction.guard.index = static_cast<std::uint8_t>(predicate);
    instruction.guard.negate = negate;
    add(instruction);
  }
  void branch_if(int predicate, bool negate, std::uint32_t target) {
    Instruction branch = with_opcode(Opcode::kBra);
    branch.target = target;
    add_if(predicate, negate, branch);
  }
  const isa::Kernel& kernel() const { return kernel_; }

 private:
  isa::Kernel kernel_;
};

/// On two SMs with a place for one CTA each.
void run_code(const Code& code, std::uint32_t ctas, const WaitingMemoryOptions& options) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu.params.sms = 2;
  gpu.params.sm.occupancy.max_ctas = 1;
  auto memories = waiting_memories(1, options);
  isa::GlobalMemory memory;
  memory.allocate_at(address_of(kCounter), "counter", 4);
  memory.allocate_at(address_of(kFlag), "flag", 4);
  gpu::Launch launch;
  launch.kernel = &code.kernel();
  launch.grid.x = ctas;
  launch.block.x = 32;
  launch.memory = &memory;
  launch.options.idle_cycles = kIdle;
  gpu::Machine machine("gpu", gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  const gpu::RunStatistics statistics = machine.run(launch);
  EXPECT_GT(statistics.cycles, static_cast<std::uint64_t>(kSlow)) << "or it has waited for nothing";
}

/// CTA 0 adds to a word and ends; CTA 1 reads another until it is not 0; CTA 2 stores that one, if `stores`.
Code wait_for_the_third(bool stores) {
  constexpr int kCta = 0, kValue = 2;
  Code code;
  Instruction index = with_opcode(Opcode::kS2r, kCta);
  index.mod.special_register = 0x25;  // SR_CTAID.X
  code.add(index, false, true);
  code.add(equals(0, kCta, 0), true);
  code.add(equals(1, kCta, 2));
  code.add_if(0, false, global(Opcode::kRed, kCounter, kCta));
  code.add_if(0, false, with_opcode(Opcode::kExit));
  if (stores) code.add_if(1, false, global(Opcode::kStg, kFlag, kCta));
  code.add_if(1, false, with_opcode(Opcode::kExit));
  const std::uint32_t loop = code.add(global(Opcode::kLdg, kFlag, kValue), false, true);
  code.add(equals(2, kValue, 0), true);
  code.branch_if(2, false, loop);
  code.add(with_opcode(Opcode::kExit));
  return code;
}

/// A memory whose first answer, the sum's, is slow.
WaitingMemoryOptions slow_sum() {
  WaitingMemoryOptions options;
  options.spread = kSlow;
  options.ticks = true;
  return options;
}

TEST(OwnMemoryProgress, AnEndedCtaWhoseAtomicIsUnderWayStillGivesUpItsPlace) {
  EXPECT_NO_THROW(run_code(wait_for_the_third(true), 3, slow_sum()));
}

TEST(OwnMemoryProgress, AStandstillIsFoundAlsoWithAMemoryThatTicks) {
  EXPECT_THROW(run_code(wait_for_the_third(false), 3, slow_sum()), gpu::Deadlock);
}

TEST(OwnMemoryProgress, WhoGoesRoundUntilCopiesOfASlowMemoryLandIsNotStuck) {
  constexpr std::uint32_t kLower = 0x001fffc0, kHigher = 0x7fff0000;  // an mbarrier of 32 arrivals, as sm_90 has it
  Code code;
  code.add(move(6, kLower));
  code.add(move(7, kHigher));
  code.add(shared(Opcode::kSts, 6));
  Instruction copy = global(Opcode::kLdgsts, kFlag, isa::kRegisterZero);
  copy.mem.shared_offset = 64;
  code.add(copy);
  code.add(shared(Opcode::kArrives));
  Instruction complete = shared(Opcode::kSyncsPhase);
  complete.b.kind = isa::Operand::Kind::kRegister;
  complete.b.index = isa::kRegisterZero;
  complete.dest_predicate0 = 2;
  const std::uint32_t loop = code.add(complete, false, true);
  code.add(with_opcode(Opcode::kNop), true);
  code.branch_if(2, true, loop);
  code.add(with_opcode(Opcode::kExit));
  WaitingMemoryOptions options;
  options.latency = kSlow;
  options.ticks = true;
  EXPECT_NO_THROW(run_code(code, 1, options));
}

}  // namespace
}  // namespace stc::timing
