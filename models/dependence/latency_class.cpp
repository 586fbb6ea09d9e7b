// SPDX-License-Identifier: Apache-2.0
// Which row and column of the latency tables an instruction belongs to.
#include "models/dependence/latency_table.h"

namespace stc::dependence {
namespace {

using isa::Opcode;

bool is_double(Opcode opcode) {
  return opcode == Opcode::kDadd || opcode == Opcode::kDmul || opcode == Opcode::kDfma || opcode == Opcode::kDsetp;
}

bool is_wide(Opcode opcode) { return opcode == Opcode::kImadWide || opcode == Opcode::kImadHi; }

bool is_fma(Opcode opcode) {
  switch (opcode) {
    case Opcode::kImad:
    case Opcode::kFadd:
    case Opcode::kFmul:
    case Opcode::kFfma:
    case Opcode::kViadd:
    case Opcode::kIdp: return true;
    default: return false;
  }
}

bool is_half(Opcode opcode) {
  switch (opcode) {
    case Opcode::kHadd2:
    case Opcode::kHmul2:
    case Opcode::kHfma2:
    case Opcode::kHset2:
    case Opcode::kHsetp2:
    case Opcode::kHmnmx2: return true;
    default: return false;
  }
}

bool is_memory(Opcode opcode) {
  switch (opcode) {
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
    case Opcode::kShfl:
    case Opcode::kMovm:
    case Opcode::kCctl:
    case Opcode::kCctll:
    case Opcode::kArrives:
    case Opcode::kQspc: return true;
    default: return false;
  }
}

/// Special function unit and others that answer when they are done.
bool is_decoupled(Opcode opcode) {
  switch (opcode) {
    case Opcode::kMufu:
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kI2f:
    case Opcode::kFrnd:
    case Opcode::kPopc:
    case Opcode::kFlo:
    case Opcode::kBrev:
    case Opcode::kFchk:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kLdc:
    case Opcode::kS2r:
    case Opcode::kS2ur:
    case Opcode::kB2r:
    case Opcode::kSyncsExchange:
    case Opcode::kSyncsArrive:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate:
    case Opcode::kBmov: return true;
    default: return false;
  }
}

bool is_branch(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBra:
    case Opcode::kBrx:
    case Opcode::kJmp:
    case Opcode::kCall:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kKill:
    case Opcode::kBssy:
    case Opcode::kBsync:
    case Opcode::kBreak:
    case Opcode::kWarpsync: return true;
    default: return false;
  }
}

bool is_uniform_move(Opcode opcode) {
  return opcode == Opcode::kUmov || opcode == Opcode::kUldc || opcode == Opcode::kVoteu;
}

}  // namespace

bool needs_scoreboard(const isa::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (is_memory(opcode) || is_decoupled(opcode)) return true;
  const bool redirected = is_double(opcode) || opcode == Opcode::kDmma || opcode == Opcode::kR2ur;
  return redirected && instruction.sm < 90;
}

Writer writer_of(const isa::Instruction& instruction, int word) {
  const Opcode opcode = instruction.opcode;
  if (needs_scoreboard(instruction)) return Writer::kScoreboard;
  if (opcode == Opcode::kHmma || opcode == Opcode::kImma) return Writer::kMatrix;
  if (opcode == Opcode::kR2ur) return Writer::kToUniform;
  if (is_uniform_move(opcode)) return Writer::kUniformMove;
  if (isa::is_uniform_operation(opcode)) return Writer::kUniform;
  if (is_wide(opcode)) return word == 1 || opcode == Opcode::kImadHi ? Writer::kWideHigh : Writer::kWideLow;
  if (is_fma(opcode)) return Writer::kFma;
  if (is_half(opcode)) return Writer::kHalf;
  if (is_double(opcode) || opcode == Opcode::kDmma || opcode == Opcode::kHfma2Mma) return Writer::kDouble;
  const bool pair = (opcode == Opcode::kCs2r && instruction.mod.is_64bit) || opcode == Opcode::kLepc;
  return pair ? Writer::kWide64 : Writer::kAlu;
}

Reader reader_of(const isa::Instruction& instruction, isa::UseSlot slot) {
  const Opcode opcode = instruction.opcode;
  if (is_branch(opcode)) return Reader::kBranch;
  if (slot == isa::UseSlot::kGuard) return Reader::kGuard;
  if (is_memory(opcode) || opcode == Opcode::kBar) return Reader::kAddress;
  if (opcode == Opcode::kUldc) return Reader::kConstant;
  if (is_uniform_move(opcode)) return Reader::kUniformMove;
  if (opcode == Opcode::kHmma || opcode == Opcode::kImma) {
    return instruction.mma.a_registers() <= 2 ? Reader::kShortMatrix : Reader::kMatrix;
  }
  if (is_double(opcode) || opcode == Opcode::kDmma || opcode == Opcode::kHfma2Mma) return Reader::kDouble;
  if (is_decoupled(opcode) || opcode == Opcode::kR2ur || opcode == Opcode::kVote || opcode == Opcode::kNanosleep) {
    return Reader::kDecoupled;
  }
  if (isa::is_uniform_operation(opcode)) return Reader::kUniform;
  if (is_wide(opcode)) {
    if (slot == isa::UseSlot::kCHigh) return Reader::kWideHigh;
    return slot == isa::UseSlot::kC ? Reader::kFma : Reader::kWideAb;
  }
  if (is_fma(opcode)) return Reader::kFma;
  return is_half(opcode) ? Reader::kHalf : Reader::kAlu;
}

}  // namespace stc::dependence
