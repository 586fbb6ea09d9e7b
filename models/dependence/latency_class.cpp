// SPDX-License-Identifier: Apache-2.0
// Which row and column of the latency tables an instruction belongs to.
#include "models/core/architecture.h"
#include "models/dependence/latency_table.h"

namespace stc::dependence {
namespace {

using isa::LatencyClass;

LatencyClass class_of(const isa::Instruction& instruction) { return isa::traits_of(instruction.opcode).latency; }

}  // namespace

bool needs_scoreboard(const isa::Instruction& instruction) {
  switch (class_of(instruction)) {
    case LatencyClass::kMemory:
    case LatencyClass::kDecoupled: return true;
    case LatencyClass::kDouble:
      return !architecture_of(instruction.sm).fixed_latency_of_doubles || instruction.opcode == isa::Opcode::kDmma;
    case LatencyClass::kToUniform: return !architecture_of(instruction.sm).fixed_latency_of_doubles;
    case LatencyClass::kControl:
    case LatencyClass::kAlu:
    case LatencyClass::kWide64:
    case LatencyClass::kFma:
    case LatencyClass::kWide:
    case LatencyClass::kWideHigh:
    case LatencyClass::kHalf:
    case LatencyClass::kHalfOnDouble:
    case LatencyClass::kMatrix:
    case LatencyClass::kUniform:
    case LatencyClass::kUniformMove:
    case LatencyClass::kUniformConstant:
    case LatencyClass::kSlowReader:
    case LatencyClass::kBarrier:
    case LatencyClass::kBranch:
    case LatencyClass::kConvergence: break;
  }
  return false;
}

Writer writer_of(const isa::Instruction& instruction, int word) {
  if (needs_scoreboard(instruction)) return Writer::kScoreboard;
  if (instruction.opcode == isa::Opcode::kElect) return Writer::kUniformMove;  // as soon as VOTEU's
  switch (class_of(instruction)) {
    case LatencyClass::kMemory:
    case LatencyClass::kDecoupled: return Writer::kScoreboard;
    case LatencyClass::kWide64: {
      const bool always = isa::traits_of(instruction.opcode).result == isa::Result::kTwo;
      return always || instruction.mod.is_64bit ? Writer::kWide64 : Writer::kAlu;
    }
    case LatencyClass::kFma: return Writer::kFma;
    case LatencyClass::kWide: return word == 1 ? Writer::kWideHigh : Writer::kWideLow;
    case LatencyClass::kWideHigh: return Writer::kWideHigh;
    case LatencyClass::kHalf: return Writer::kHalf;
    case LatencyClass::kHalfOnDouble:
    case LatencyClass::kDouble: return Writer::kDouble;
    case LatencyClass::kMatrix: return Writer::kMatrix;
    case LatencyClass::kUniform: return Writer::kUniform;
    case LatencyClass::kUniformMove:
    case LatencyClass::kUniformConstant: return Writer::kUniformMove;
    case LatencyClass::kToUniform: return Writer::kToUniform;
    case LatencyClass::kControl:
    case LatencyClass::kAlu:
    case LatencyClass::kSlowReader:
    case LatencyClass::kBarrier:
    case LatencyClass::kBranch:
    case LatencyClass::kConvergence: break;
  }
  return Writer::kAlu;
}

Reader reader_of(const isa::Instruction& instruction, isa::UseSlot slot) {
  const LatencyClass latency = class_of(instruction);
  if (latency == LatencyClass::kBranch || latency == LatencyClass::kConvergence) return Reader::kBranch;
  if (slot == isa::UseSlot::kGuard) return Reader::kGuard;
  switch (latency) {
    case LatencyClass::kMemory:
    case LatencyClass::kBarrier: return Reader::kAddress;
    case LatencyClass::kUniformConstant: return Reader::kConstant;
    case LatencyClass::kUniformMove: return Reader::kUniformMove;
    case LatencyClass::kMatrix: return instruction.mma.a_registers() <= 2 ? Reader::kShortMatrix : Reader::kMatrix;
    case LatencyClass::kHalfOnDouble:
    case LatencyClass::kDouble: return Reader::kDouble;
    case LatencyClass::kDecoupled:
    case LatencyClass::kToUniform:
    case LatencyClass::kSlowReader: return Reader::kDecoupled;
    case LatencyClass::kUniform: return Reader::kUniform;
    case LatencyClass::kWide:
    case LatencyClass::kWideHigh:
      if (slot == isa::UseSlot::kCHigh) return Reader::kWideHigh;
      return slot == isa::UseSlot::kC ? Reader::kFma : Reader::kWideAb;
    case LatencyClass::kFma: return Reader::kFma;
    case LatencyClass::kHalf: return Reader::kHalf;
    case LatencyClass::kControl:
    case LatencyClass::kAlu:
    case LatencyClass::kWide64:
    case LatencyClass::kBranch:
    case LatencyClass::kConvergence: break;
  }
  return Reader::kAlu;
}

}  // namespace stc::dependence
