// SPDX-License-Identifier: Apache-2.0
#include "models/sm/issue_info.h"

#include <algorithm>

#include "models/isa/execute.h"

namespace stc::sm {
namespace {

using isa::Opcode;

Pipe pipe_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::kImad:
    case Opcode::kImadWide:
    case Opcode::kImadHi:
    case Opcode::kViadd:
    case Opcode::kFadd:
    case Opcode::kFmul:
    case Opcode::kFfma:
    case Opcode::kIdp: return Pipe::kFma;
    case Opcode::kHadd2:
    case Opcode::kHmul2:
    case Opcode::kHfma2:
    case Opcode::kHset2:
    case Opcode::kHsetp2:
    case Opcode::kHmnmx2: return Pipe::kHalf;
    case Opcode::kDadd:
    case Opcode::kDmul:
    case Opcode::kDfma:
    case Opcode::kDsetp:
    case Opcode::kDmma: return Pipe::kFp64;
    case Opcode::kMufu:
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kI2f:
    case Opcode::kFrnd:
    case Opcode::kPopc:
    case Opcode::kFlo:
    case Opcode::kBrev:
    case Opcode::kS2r:
    case Opcode::kS2ur:
    case Opcode::kR2ur:
    case Opcode::kFchk:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kLdc:
    case Opcode::kMovm: return Pipe::kXu;
    case Opcode::kHmma:
    case Opcode::kImma: return Pipe::kTensor;
    case Opcode::kUmov:
    case Opcode::kUldc:
    case Opcode::kUiadd3:
    case Opcode::kUimad:
    case Opcode::kUimadWide:
    case Opcode::kUlea:
    case Opcode::kUlop3:
    case Opcode::kUshf:
    case Opcode::kUsel:
    case Opcode::kUprmt:
    case Opcode::kUisetp:
    case Opcode::kUplop3:
    case Opcode::kUsgxt:
    case Opcode::kUbmsk:
    case Opcode::kUflo:
    case Opcode::kUpopc:
    case Opcode::kUbrev:
    case Opcode::kUp2ur:
    case Opcode::kUr2up:
    case Opcode::kVoteu: return Pipe::kUniform;
    case Opcode::kLdg:
    case Opcode::kStg:
    case Opcode::kLds:
    case Opcode::kSts:
    case Opcode::kLdsm:
    case Opcode::kStsm:
    case Opcode::kLdl:
    case Opcode::kStl:
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kLdgsts:
    case Opcode::kLdgdepbar:
    case Opcode::kAtomg:
    case Opcode::kAtoms:
    case Opcode::kAtom:
    case Opcode::kRed:
    case Opcode::kSyncsExchange:
    case Opcode::kSyncsArrive:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate:
    case Opcode::kArrives:
    case Opcode::kShfl: return Pipe::kMemory;
    case Opcode::kBra:
    case Opcode::kBrx:
    case Opcode::kJmp:
    case Opcode::kCall:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kBssy:
    case Opcode::kBsync:
    case Opcode::kBreak:
    case Opcode::kBmov:
    case Opcode::kWarpsync: return Pipe::kBranch;
    case Opcode::kNop:
    case Opcode::kDepbar:
    case Opcode::kBar:
    case Opcode::kYield:
    case Opcode::kNanosleep:
    case Opcode::kMembar:
    case Opcode::kErrbar:
    case Opcode::kFenceView:
    case Opcode::kCctl:
    case Opcode::kCctll:
    case Opcode::kPmtrig:
    case Opcode::kAcqbulk:
    case Opcode::kPreexit:
    case Opcode::kBpt:
    case Opcode::kKill:
    case Opcode::kInvalid:
    case Opcode::kOpcodeCount: return Pipe::kNone;
    case Opcode::kMov:
    case Opcode::kCs2r:
    case Opcode::kSel:
    case Opcode::kPrmt:
    case Opcode::kP2r:
    case Opcode::kR2p:
    case Opcode::kF2fp:
    case Opcode::kF2fpUnpackFp8:
    case Opcode::kF2fpPackFp8:
    case Opcode::kF2fpTf32:
    case Opcode::kI2fp:
    case Opcode::kF2ip:
    case Opcode::kI2i:
    case Opcode::kI2ip:
    case Opcode::kB2r:
    case Opcode::kR2b:
    case Opcode::kIadd3:
    case Opcode::kLea:
    case Opcode::kLop3:
    case Opcode::kShf:
    case Opcode::kIsetp:
    case Opcode::kPlop3:
    case Opcode::kPlop3Signs:
    case Opcode::kImnmx:
    case Opcode::kIabs:
    case Opcode::kSgxt:
    case Opcode::kBmsk:
    case Opcode::kVimnmx:
    case Opcode::kVimnmx3:
    case Opcode::kViaddmnmx:
    case Opcode::kVabsdiff:
    case Opcode::kVabsdiff4:
    case Opcode::kLepc:
    case Opcode::kFsetp:
    case Opcode::kFset:
    case Opcode::kFsel:
    case Opcode::kFmnmx:
    case Opcode::kHfma2Mma:
    case Opcode::kVote:
    case Opcode::kElect:
    case Opcode::kQspc:
    case Opcode::kCgaerrbar:
    case Opcode::kEndcollective: return Pipe::kAlu;
  }
  return Pipe::kNone;  // not reached: the compiler checks that every operation is named above
}

MemoryKind memory_kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLds:
    case Opcode::kLdsm:
    case Opcode::kAtoms: return MemoryKind::kSharedLoad;
    case Opcode::kSts:
    case Opcode::kStsm: return MemoryKind::kSharedStore;
    case Opcode::kShfl: return MemoryKind::kShuffle;
    case Opcode::kLdg:
    case Opcode::kLd:
    case Opcode::kLdl: return MemoryKind::kGlobalLoad;
    case Opcode::kStg:
    case Opcode::kSt:
    case Opcode::kStl: return MemoryKind::kGlobalStore;
    case Opcode::kAtomg:
    case Opcode::kAtom:
    case Opcode::kRed: return MemoryKind::kGlobalAtomic;
    case Opcode::kLdgsts: return MemoryKind::kAsyncCopy;
    case Opcode::kSyncsExchange:
    case Opcode::kSyncsArrive:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate: return MemoryKind::kMbarrier;
    case Opcode::kArrives:
    case Opcode::kLdgdepbar: return MemoryKind::kCopyFence;
    default: return MemoryKind::kNone;
  }
}

int interval_of(const isa::Instruction& instruction, Pipe pipe, const PipeParams& pipes) {
  switch (pipe) {
    case Pipe::kAlu: return pipes.alu_interval;
    case Pipe::kFma: {
      const Opcode op = instruction.opcode;
      const bool wide = op == Opcode::kImadWide || op == Opcode::kImadHi;
      const bool integer = wide || op == Opcode::kImad || op == Opcode::kIdp;
      if (wide) return pipes.fma_wide_interval;
      return integer ? pipes.imad_interval : pipes.fma_interval;
    }
    case Pipe::kHalf: return pipes.half_interval;
    case Pipe::kFp64: return pipes.fp64_interval;
    case Pipe::kXu: return instruction.opcode == Opcode::kMufu ? pipes.xu_interval : pipes.conversion_interval;
    case Pipe::kUniform: return pipes.uniform_interval;
    case Pipe::kBranch: return pipes.branch_interval;
    default: return 1;
  }
}

int latency_of(const isa::Instruction& instruction, const IssueParams& issue) {
  switch (instruction.opcode) {
    case Opcode::kS2r:
    case Opcode::kS2ur: return issue.s2r_latency;
    case Opcode::kMufu:
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kI2f:
    case Opcode::kFrnd:
    case Opcode::kPopc:
    case Opcode::kFlo:
    case Opcode::kBrev: return issue.xu_latency;
    case Opcode::kLdc: return issue.constant_latency;
    default: return issue.other_latency;
  }
}

/// Besides memory instructions: what a warp that has passed BAR.DEFER_BLOCKING issues only when the barrier is open.
bool waits_like_memory(Opcode opcode) {
  return opcode == Opcode::kLdc || opcode == Opcode::kS2r || opcode == Opcode::kS2ur || opcode == Opcode::kCall ||
         opcode == Opcode::kExit;
}

gpu::Stall stall_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kSharedLoad:
    case MemoryKind::kSharedStore:
    case MemoryKind::kMbarrier:
    case MemoryKind::kShuffle: return gpu::Stall::kSharedMemory;
    case MemoryKind::kGlobalLoad:
    case MemoryKind::kGlobalStore:
    case MemoryKind::kGlobalAtomic: return gpu::Stall::kGlobalMemory;
    case MemoryKind::kAsyncCopy:
    case MemoryKind::kCopyFence: return gpu::Stall::kAsyncCopy;
    case MemoryKind::kNone: break;
  }
  return gpu::Stall::kScoreboardOther;
}

void count_registers(const isa::Instruction& instruction, const SmParams& params, IssueInfo& info) {
  const isa::RegisterUse use = isa::register_use(instruction);
  for (int i = 0; i < use.source_count; ++i) {
    const isa::RegisterRange& range = use.sources[static_cast<std::size_t>(i)];
    info.source_registers = static_cast<std::uint8_t>(info.source_registers + range.count);
    if (range.reuse) continue;
    for (int k = 0; k < range.count; ++k) ++info.bank_reads[(range.first + k) % params.issue.register_banks];
  }
  int written = 0;
  for (int i = 0; i < use.dest_count; ++i) written += use.dests[static_cast<std::size_t>(i)].count;
  if (info.memory == MemoryKind::kSharedStore || info.memory == MemoryKind::kGlobalStore) {
    info.data_registers = static_cast<std::uint8_t>(std::max(1, instruction.mem.bytes / 4));
  } else {
    info.data_registers = static_cast<std::uint8_t>(written);
  }
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

}  // namespace

std::vector<IssueInfo> classify(const isa::Kernel& kernel, const SmParams& params) {
  std::vector<IssueInfo> table;
  table.reserve(kernel.code.size());
  for (const isa::Instruction& instruction : kernel.code) {
    IssueInfo info;
    info.pipe = pipe_of(instruction.opcode);
    info.memory = memory_kind_of(instruction.opcode);
    info.interval = static_cast<std::uint8_t>(interval_of(instruction, info.pipe, params.pipes));
    info.also_alu = params.pipes.imad_shares_alu && instruction.opcode == Opcode::kImad;
    info.latency = static_cast<std::uint16_t>(latency_of(instruction, params.issue));
    info.scoreboard_stall = stall_of(info.memory);
    const bool is_barrier = instruction.opcode == Opcode::kBar;
    info.defers_barrier =
        is_barrier && instruction.mod.bar == isa::BarMode::kSync && (instruction.mod.variant & 16) != 0;
    info.waits_at_barrier = info.pipe == Pipe::kMemory || is_barrier || waits_like_memory(instruction.opcode);
    info.waits_for_phase = instruction.opcode == Opcode::kSyncsPhase && instruction.mod.variant == 1;
    info.is_tensor = info.pipe == Pipe::kTensor;
    info.fixed_latency = info.pipe == Pipe::kAlu || info.pipe == Pipe::kFma || info.pipe == Pipe::kHalf;
    count_registers(instruction, params, info);
    name_registers(instruction, info);
    if (info.is_tensor) {
      info.mma = tensor_core::mma_timing(instruction.mma, params.tensor_core);
      info.interval = static_cast<std::uint8_t>(info.mma.interval);
    }
    table.push_back(info);
  }
  return table;
}

}  // namespace stc::sm
