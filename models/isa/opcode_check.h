// SPDX-License-Identifier: Apache-2.0
// Which columns of a row of opcodes.def cannot go together. Checked at compile time for every row (opcode_check.cpp):
// a row whose unit was mistaken, or left to be that of another, does not compile.
#pragma once

#include "models/isa/opcode_traits.h"

namespace stc::isa {

/// Whether instructions of this unit can have the latencies of this class.
constexpr bool latency_fits(ExecutionUnit unit, LatencyClass latency) {
  switch (unit) {
    case ExecutionUnit::kNone:  // CCTL answers by scoreboard, NANOSLEEP reads late
      return latency == LatencyClass::kControl || latency == LatencyClass::kBarrier ||
             latency == LatencyClass::kSlowReader || latency == LatencyClass::kMemory;
    case ExecutionUnit::kAlu:  // VOTE reads late, ELECT has a uniform result, QSPC answers by scoreboard
      return latency == LatencyClass::kAlu || latency == LatencyClass::kWide64 || latency == LatencyClass::kControl ||
             latency == LatencyClass::kHalfOnDouble || latency == LatencyClass::kSlowReader ||
             latency == LatencyClass::kUniform || latency == LatencyClass::kMemory;
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger: return latency == LatencyClass::kFma;
    case ExecutionUnit::kFmaWide: return latency == LatencyClass::kWide || latency == LatencyClass::kWideHigh;
    case ExecutionUnit::kHalf: return latency == LatencyClass::kHalf;
    case ExecutionUnit::kFp64: return latency == LatencyClass::kDouble;
    case ExecutionUnit::kTensor: return latency == LatencyClass::kMatrix;
    case ExecutionUnit::kUniform:
      return latency == LatencyClass::kUniform || latency == LatencyClass::kUniformMove ||
             latency == LatencyClass::kUniformConstant;
    case ExecutionUnit::kBranch:  // BMOV answers by scoreboard
      return latency == LatencyClass::kBranch || latency == LatencyClass::kConvergence ||
             latency == LatencyClass::kDecoupled;
    case ExecutionUnit::kCrossLane:
      return latency == LatencyClass::kDecoupled || latency == LatencyClass::kMemory ||
             latency == LatencyClass::kToUniform;
    case ExecutionUnit::kVotes:
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion:
    case ExecutionUnit::kDivisionCheck:
    case ExecutionUnit::kStatus:
    case ExecutionUnit::kConstant:
    case ExecutionUnit::kMbarrier: return latency == LatencyClass::kDecoupled;
    case ExecutionUnit::kSharedLoad:
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kShuffle:
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kGlobalAtomic:
    case ExecutionUnit::kAsyncCopy:
    case ExecutionUnit::kCopyFence:
    case ExecutionUnit::kBulk: return latency == LatencyClass::kMemory;
    case ExecutionUnit::kWarpgroup:  // what orders matrix instructions has no result; USETMAXREG answers by scoreboard
      return latency == LatencyClass::kMemory || latency == LatencyClass::kControl ||
             latency == LatencyClass::kDecoupled;
  }
  return false;
}

/// Whether the unit gets the registers that instructions for it bring.
constexpr bool sources_fit(ExecutionUnit unit, Sources sources) {
  const bool stores = sources == Sources::kStore || sources == Sources::kStoreMatrices;
  const bool doubles = sources == Sources::kDoubles || sources == Sources::kDoubleMatrix;
  switch (unit) {
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kGlobalStore: return stores;
    case ExecutionUnit::kGlobalAtomic: return sources == Sources::kAtomic;
    case ExecutionUnit::kSharedLoad: return sources == Sources::kAddress || sources == Sources::kAtomic;
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kConstant:
    case ExecutionUnit::kMbarrier: return sources == Sources::kAddress;
    case ExecutionUnit::kAsyncCopy: return sources == Sources::kCopy;
    case ExecutionUnit::kTensor: return sources == Sources::kMatrix;
    case ExecutionUnit::kWarpgroup: return sources == Sources::kWarpgroupMatrix || sources == Sources::kOperands;
    case ExecutionUnit::kBulk: return sources == Sources::kOperands || sources == Sources::kStore;
    case ExecutionUnit::kFp64: return doubles;
    case ExecutionUnit::kFmaWide: return sources == Sources::kWideSum;
    case ExecutionUnit::kUniform:
      return sources == Sources::kOperands || sources == Sources::kWideSum || sources == Sources::kPredicates;
    case ExecutionUnit::kNone:  // CCTL, QSPC and ARRIVES have an address
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kCopyFence:
      return sources == Sources::kOperands || sources == Sources::kAddress || sources == Sources::kPredicates;
    case ExecutionUnit::kConversion: return sources == Sources::kOperands || sources == Sources::kByType;
    case ExecutionUnit::kCrossLane: return sources == Sources::kOperands || sources == Sources::kByWidth;
    case ExecutionUnit::kBranch: return sources == Sources::kOperands || sources == Sources::kTarget;
    case ExecutionUnit::kVotes:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kHalf:
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kDivisionCheck:
    case ExecutionUnit::kStatus:
    case ExecutionUnit::kShuffle: return sources == Sources::kOperands;
  }
  return false;
}

/// Whether instructions of this unit can have such a result.
constexpr bool result_fits(const OpcodeTraits& row) {
  const bool uniform = row.result >= Result::kUniform;
  switch (row.latency) {
    case LatencyClass::kControl:
    case LatencyClass::kBarrier:
    case LatencyClass::kBranch:
    case LatencyClass::kConvergence: return row.result == Result::kNone;
    case LatencyClass::kUniform:
    case LatencyClass::kUniformMove:
    case LatencyClass::kUniformConstant:
    case LatencyClass::kToUniform: return uniform;
    case LatencyClass::kWide: return row.result == Result::kTwo;
    case LatencyClass::kWideHigh: return row.result == Result::kOne;
    case LatencyClass::kWide64: return row.result == Result::kTwo || row.result == Result::kByWidth;
    case LatencyClass::kDouble:
      return row.result == Result::kTwo || row.result == Result::kNone || row.result == Result::kFour;
    case LatencyClass::kMatrix: return row.result == Result::kMatrix;
    case LatencyClass::kDecoupled: return true;  // S2UR and REDUX have uniform results
    case LatencyClass::kMemory: return !uniform;
    case LatencyClass::kAlu:
    case LatencyClass::kFma:
    case LatencyClass::kHalf:
    case LatencyClass::kHalfOnDouble:
    case LatencyClass::kSlowReader:
      return row.result == Result::kOne || row.result == Result::kNone || row.result == Result::kPredicates;
  }
  return false;
}

/// What contradicts itself in a row, nullptr when nothing does.
constexpr const char* contradiction(const OpcodeTraits& row) {
  if (row.mnemonic[0] == '\0') return "no mnemonic";
  if ((row.decoder == DecoderTable::none) != (row.opcode == Opcode::kInvalid)) return "no decoder";
  if (!latency_fits(row.unit, row.latency)) return "the unit has no such latencies";
  if (!sources_fit(row.unit, row.sources)) return "the unit takes other registers";
  if (!result_fits(row)) return "results of these latencies are others";
  if (row.unit == ExecutionUnit::kAlu) {
    const bool queries = row.latency == LatencyClass::kMemory;  // an address, without an access
    if (queries && (row.result != Result::kNone || row.sources != Sources::kAddress)) return "the ALU does not load";
    const bool uniform = row.latency == LatencyClass::kUniform;
    if (uniform && row.result != Result::kLaneToUniform) return "the ALU is not the uniform datapath";
  }
  const bool stores = row.sources == Sources::kStore || row.sources == Sources::kStoreMatrices;
  if ((stores || row.sources == Sources::kCopy) && row.result != Result::kNone) return "a store with a result";
  const bool loads = row.result == Result::kBytes || row.result == Result::kMatrices;
  if (loads && row.sources != Sources::kAddress && row.sources != Sources::kAtomic) return "a load without an address";
  return nullptr;
}

/// The first row that contradicts itself, kInvalid when none does.
constexpr Opcode first_contradiction() {
  for (const OpcodeTraits& row : kOpcodeTraits) {
    if (contradiction(row) != nullptr) return row.opcode;
  }
  return Opcode::kInvalid;
}

}  // namespace stc::isa
