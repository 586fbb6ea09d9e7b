// SPDX-License-Identifier: Apache-2.0
#include "models/sm/issue_info.h"
#include "models/isa/bulk_form.h"

#include <algorithm>

#include "models/isa/values/execute.h"
#include "models/isa/values/special_register.h"

namespace stc::sm {
namespace {

using Unit = isa::ExecutionUnit;
using isa::Opcode;

struct Place {
  Pipe pipe = Pipe::kNone;
  int interval = 1;
  MemoryKind memory = MemoryKind::kNone;
};

Place place_of(Unit unit, const PipeParams& pipes) {
  switch (unit) {
    case Unit::kNone:
    case Unit::kWarpgroup:
    case Unit::kBulk: break;
    case Unit::kAlu:
    case Unit::kVotes: return {Pipe::kAlu, pipes.alu_interval};
    case Unit::kFma: return {Pipe::kFma, pipes.fma_interval};
    case Unit::kImad:
    case Unit::kFmaInteger: return {Pipe::kFma, pipes.imad_interval};
    case Unit::kFmaWide: return {Pipe::kFma, std::max(1, pipes.fma_wide_interval / 2)};
    case Unit::kHalf: return {pipes.half_on_fma ? Pipe::kFma : Pipe::kHalf, pipes.half_interval};
    case Unit::kFp64: return {Pipe::kFp64, pipes.fp64_interval};
    case Unit::kMufu: return {Pipe::kXu, pipes.xu_interval};
    case Unit::kConversion:
    case Unit::kDivisionCheck:
    case Unit::kStatus:
    case Unit::kCrossLane:
    case Unit::kConstant: return {Pipe::kXu, pipes.conversion_interval};
    case Unit::kTensor: return {Pipe::kTensor, 1};  // the interval depends on the instruction's shape
    case Unit::kUniform: return {Pipe::kUniform, pipes.uniform_interval};
    case Unit::kBranch: return {Pipe::kBranch, pipes.branch_interval};
    case Unit::kSharedLoad: return {Pipe::kMemory, 1, MemoryKind::kSharedLoad};
    case Unit::kSharedStore: return {Pipe::kMemory, 1, MemoryKind::kSharedStore};
    case Unit::kShuffle: return {Pipe::kMemory, 1, MemoryKind::kShuffle};
    case Unit::kMbarrier: return {Pipe::kMemory, 1, MemoryKind::kMbarrier};
    case Unit::kGlobalLoad: return {Pipe::kMemory, 1, MemoryKind::kGlobalLoad};
    case Unit::kGlobalStore: return {Pipe::kMemory, 1, MemoryKind::kGlobalStore};
    case Unit::kGlobalAtomic: return {Pipe::kMemory, 1, MemoryKind::kGlobalAtomic};
    case Unit::kAsyncCopy: return {Pipe::kMemory, 1, MemoryKind::kAsyncCopy};
    case Unit::kCopyFence: return {Pipe::kMemory, 1, MemoryKind::kCopyFence};
  }
  return {};
}

/// Where an operation goes another way than those of its kind (single and pair of validation/measured/h200/blocks.csv).
Place place_of(const isa::Instruction& instruction, const PipeParams& pipes) {
  Place place = place_of(isa::traits_of(instruction.opcode).unit, pipes);
  if (instruction.opcode == Opcode::kViadd) place.interval = pipes.imad_interval;
  if (instruction.opcode == Opcode::kS2r && isa::comes_through_memory_queue(instruction.mod.special_register)) {
    place = {Pipe::kMemory, 1, MemoryKind::kStatus};
  }
  const bool compares = instruction.opcode == Opcode::kHsetp2 || instruction.opcode == Opcode::kHset2;
  if (compares || instruction.opcode == Opcode::kHmnmx2) place = {Pipe::kAlu, pipes.alu_interval};
  if (instruction.opcode == Opcode::kHfma2Mma) place = {Pipe::kFp64, pipes.half_interval};  // neither ALU's nor HFMA2's
  const bool moves = isa::traits_of(instruction.opcode).latency == isa::LatencyClass::kUniformMove;
  if ((moves || instruction.opcode == Opcode::kUldc) && place.pipe == Pipe::kUniform) place.interval = 1;
  return place;
}

/// Issue to release of the scoreboard, where an instruction has one; the LSU answers for memory instructions.
int latency_of(Unit unit, const IssueParams& issue) {
  switch (unit) {
    case Unit::kStatus: return issue.s2r_latency;
    case Unit::kMufu:
    case Unit::kConversion: return issue.xu_latency;
    case Unit::kConstant: return issue.constant_latency;
    case Unit::kNone:
    case Unit::kAlu:
    case Unit::kVotes:
    case Unit::kFma:
    case Unit::kImad:
    case Unit::kFmaInteger:
    case Unit::kFmaWide:
    case Unit::kHalf:
    case Unit::kFp64:
    case Unit::kDivisionCheck:
    case Unit::kCrossLane:
    case Unit::kTensor:
    case Unit::kUniform:
    case Unit::kBranch:
    case Unit::kSharedLoad:
    case Unit::kSharedStore:
    case Unit::kShuffle:
    case Unit::kMbarrier:
    case Unit::kGlobalLoad:
    case Unit::kGlobalStore:
    case Unit::kGlobalAtomic:
    case Unit::kAsyncCopy:
    case Unit::kCopyFence:
    case Unit::kWarpgroup:
    case Unit::kBulk: break;
  }
  return issue.other_latency;
}
int latency_of(const isa::Instruction& instruction, const IssueParams& issue) {
  if (instruction.opcode == Opcode::kS2ur) return issue.s2ur_latency;
  if (instruction.opcode == Opcode::kMatch) return issue.match_latency;
  if (instruction.opcode == Opcode::kRedux) return issue.redux_latency;
  return latency_of(isa::traits_of(instruction.opcode).unit, issue);
}

/// Besides memory instructions: what a warp that has passed BAR.DEFER_BLOCKING issues only when the barrier is open.
bool waits_like_memory(Opcode opcode) {
  const Unit unit = isa::traits_of(opcode).unit;
  if (unit == Unit::kWarpgroup || unit == Unit::kBulk) return true;  // which read shared memory by ways of their own
  return unit == Unit::kConstant || unit == Unit::kStatus || unit == Unit::kBranch || opcode == Opcode::kNop;
}

/// What the unit of bulk copies has a place for until its lines have been asked for.
bool loads_in_bulk(const isa::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kUblkcp: return !isa::BulkForm::of(instruction.mod.variant).from_shared;
    case Opcode::kUblkpf:
    case Opcode::kUtmaldg:
    case Opcode::kUtmapf: return true;
    default: return false;
  }
}

bool jumps_through_registers(const isa::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBrx:
    case Opcode::kCall:
    case Opcode::kRet: return instruction.a.kind == isa::Operand::Kind::kRegister;
    default: return false;
  }
}

Stall stall_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kSharedLoad:
    case MemoryKind::kSharedStore:
    case MemoryKind::kMbarrier:
    case MemoryKind::kRemote:
    case MemoryKind::kShuffle: return Stall::kSharedMemory;
    case MemoryKind::kGlobalLoad:
    case MemoryKind::kGlobalStore:
    case MemoryKind::kGlobalAtomic: return Stall::kGlobalMemory;
    case MemoryKind::kAsyncCopy:
    case MemoryKind::kCopyFence: return Stall::kAsyncCopy;
    case MemoryKind::kStatus:
    case MemoryKind::kNone: break;
  }
  return Stall::kScoreboardOther;
}

void count_registers(const isa::Instruction& instruction, const SmParams& params, IssueInfo& info) {
  const isa::RegisterUse use = isa::register_use(instruction);
  for (int i = 0; i < use.source_count; ++i) {
    const isa::RegisterRange& range = use.sources[static_cast<std::size_t>(i)];
    info.source_registers = static_cast<std::uint8_t>(info.source_registers + range.count);
    if (static_cast<std::size_t>(i) < info.looked_at.size()) {
      info.looked_at[static_cast<std::size_t>(i)] = range.first;
      info.looked_at_count[static_cast<std::size_t>(i)] = range.count;
    }
    if (info.is_tensor && range.slot < info.factors.size())
      info.factors[range.slot] = {range.first, range.count, range.reuse};
    if (!info.fixed_latency || range.slot > 2) continue;
    for (int k = 0; k < range.count; ++k) {
      const int number = range.first + k;
      const RegisterRead read{static_cast<std::uint8_t>(number),
                              static_cast<std::uint8_t>(number % params.issue.register_banks), range.slot, range.reuse};
      // Both halves of a product read its factors, each its half of the sum.
      if (!info.in_halves || k == 0) info.reads.add(read);
      if (info.in_halves && (k == 1 || range.slot < 2)) info.second_reads.add(read);
    }
  }
  int written = 0;
  for (int i = 0; i < use.dest_count; ++i) written += use.dests[static_cast<std::size_t>(i)].count;
  info.sent_registers = static_cast<std::uint8_t>(std::max(1, instruction.mem.bytes / 4));
  const bool stores = info.memory == MemoryKind::kSharedStore || info.memory == MemoryKind::kGlobalStore;
  info.data_registers = stores ? info.sent_registers : static_cast<std::uint8_t>(written);
}

void name_registers(const isa::Instruction& instruction, IssueInfo& info) {
  const isa::ResourceUse use = isa::resource_use(instruction);
  for (const isa::ResourceWrite& write : use.writes) {
    if (isa::is_general(write.resource)) info.results.set(write.resource);
  }
  info.registers = info.results;
  for (const isa::ResourceRead& read : use.reads) {
    if (isa::is_general(read.resource)) info.registers.set(read.resource);
  }
}

void name_waits(const isa::Instruction& instruction, const SmParams& params, IssueInfo& info) {
  info.stall_cycles =
      static_cast<std::uint16_t>(dependence::stall_cycles(instruction.control, issue_cycles(params.issue)));
  std::uint8_t zero = instruction.control.wait_mask;
  if (instruction.opcode == Opcode::kDepbar) {
    zero |= instruction.mod.depbar_wait_zero;
    if (instruction.mod.depbar_scoreboard < kScoreboards) {
      info.copy_scoreboard = instruction.mod.depbar_scoreboard;
      info.copies_awaited = instruction.mod.depbar_count;
    }
  }
  for (unsigned i = 0; i < kScoreboards; ++i) {
    if ((zero >> i & 1) != 0) info.awaited |= std::uint64_t{0xff} << (8 * i);
  }
}

int cycles_of(int work, int per_cycle) { return (work + per_cycle - 1) / per_cycle; }

/// HGMMA and its like, and the wait for their groups.
void time_warpgroup(const isa::Instruction& instruction, const SmParams& params, IssueInfo& info) {
  if (isa::is_warpgroup_matrix(instruction.opcode)) {
    info.warpgroup =
        warpgroup_timing(instruction.mma, instruction.a.kind != isa::Operand::Kind::kRegister, params.warpgroup);
    info.warpgroup.ends_group = instruction.mod.barrier == 0;
  } else if (isa::waits_for_warpgroup(instruction)) {
    info.copy_scoreboard = kGroupScoreboard;
    info.copies_awaited = instruction.mod.depbar_count;
  }
}

}  // namespace

/// Operands come from shared memory while the products of what has come are summed; A comes first.
WarpgroupTiming warpgroup_timing(const isa::MmaOp& op, bool a_in_memory, const WarpgroupParams& params) {
  const int a_bytes = a_in_memory ? op.m * op.stored_k() * isa::bits_of(op.a) / 8 : 0;
  const int reading_a = cycles_of(a_bytes, params.operand_bytes_per_cycle);
  const int reading_b = cycles_of(op.n * op.k * isa::bits_of(op.b) / 8, params.operand_bytes_per_cycle);
  const int products = cycles_of(op.n, params.columns_per_cycle);
  const int least = a_in_memory ? 1 : op.sparse ? params.sparse_register_interval : params.register_interval;
  WarpgroupTiming timing;
  timing.registers = !a_in_memory;
  timing.reads = static_cast<std::uint16_t>(reading_a + reading_b);
  timing.reads_a = static_cast<std::uint16_t>(reading_a);
  timing.interval = static_cast<std::uint16_t>(std::max({products, reading_a + reading_b, least}));
  timing.latency =
      static_cast<std::uint16_t>(reading_a + products + params.latency + (op.sparse ? params.sparse_latency : 0));
  return timing;
}

namespace {

/// Whether others come to know of an instruction by more than what it writes.
bool synchronizes(Unit unit) {
  switch (unit) {
    case Unit::kFma:
    case Unit::kImad:
    case Unit::kFmaInteger:
    case Unit::kFmaWide:
    case Unit::kHalf:
    case Unit::kTensor:
    case Unit::kUniform:
    case Unit::kAsyncCopy: return false;
    default: return true;
  }
}

}  // namespace

std::vector<IssueInfo> classify(const isa::Kernel& kernel, const SmParams& params) {
  std::vector<IssueInfo> table;
  table.reserve(kernel.code.size());
  for (const isa::Instruction& instruction : kernel.code) {
    IssueInfo info;
    const Unit unit = isa::traits_of(instruction.opcode).unit;
    const Place place = place_of(instruction, params.pipes);
    info.pipe = place.pipe;
    info.memory = place.memory;
    info.interval = static_cast<std::uint8_t>(place.interval);
    info.also_alu = params.pipes.imad_shares_alu && unit == Unit::kImad;
    info.either_fma = params.pipes.fma_pipes > 1 && unit == Unit::kFma && instruction.opcode != Opcode::kViadd;
    info.in_halves = unit == Unit::kFmaWide && params.pipes.fma_wide_interval > 1;
    info.latency = static_cast<std::uint16_t>(latency_of(instruction, params.issue));
    info.scoreboard_stall = stall_of(info.memory);
    name_waits(instruction, params, info);
    time_warpgroup(instruction, params, info);
    const bool is_barrier = instruction.opcode == Opcode::kBar;
    info.defers_barrier =
        is_barrier && instruction.mod.bar == isa::BarMode::kSync && (instruction.mod.variant & 16) != 0;
    info.waits_at_barrier = info.pipe == Pipe::kMemory || is_barrier || waits_like_memory(instruction.opcode);
    info.is_bulk = unit == Unit::kBulk;
    info.synchronizes = synchronizes(unit);
    info.takes_bulk_place = loads_in_bulk(instruction);
    info.waits_for_cluster = instruction.opcode == Opcode::kClusterWait;
    info.waits_for_phase = instruction.opcode == Opcode::kSyncsPhase && instruction.mod.variant == 1;
    if (instruction.opcode != Opcode::kLdc) {
      for (const isa::Operand* operand : {&instruction.a, &instruction.b, &instruction.c}) {
        if (operand->kind != isa::Operand::Kind::kConstant) continue;
        info.constant_line = std::max(info.constant_line, constant_line(operand->bank, operand->value));
      }
    }
    info.jumps_through_registers = jumps_through_registers(instruction);
    info.is_tensor = info.pipe == Pipe::kTensor;
    info.integer_matrix = instruction.opcode == Opcode::kImma;
    info.fixed_latency = info.pipe == Pipe::kAlu || info.pipe == Pipe::kFma || info.pipe == Pipe::kHalf ||
                         (info.pipe == Pipe::kFp64 && instruction.opcode != Opcode::kDmma);
    count_registers(instruction, params, info);
    name_registers(instruction, info);
    if (instruction.opcode == Opcode::kDmma) {
      const int cycles = params.pipes.double_matrix_interval * instruction.mma.k / 4;
      info.interval = static_cast<std::uint8_t>(cycles);
      const int rows = instruction.mma.m;
      info.latency = static_cast<std::uint16_t>(params.pipes.double_matrix_latency + cycles * rows / 16);
    }
    if (info.is_tensor) {
      info.mma = tensor_core::mma_timing(instruction.mma, params.tensor_core);
      info.counts = matrix_counts(instruction.mma);
      info.interval = static_cast<std::uint8_t>(info.mma.interval);
    }
    table.push_back(info);
  }
  return table;
}

}  // namespace stc::sm
