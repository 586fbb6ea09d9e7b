// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/kernel_uses.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"

namespace stc::dependence {

InstructionUses uses_of(const isa::Instruction& instruction, const MatrixLatency& matrix_latency) {
  InstructionUses uses;
  const isa::ResourceUse use = isa::resource_use(instruction);
  // Who needs results of a warpgroup's matrix instruction waits for its group (GroupWaits), no scoreboard.
  if (isa::is_warpgroup_matrix(instruction.opcode)) {
    for (const isa::ResourceWrite& write : use.writes)
      if (isa::is_general(write.resource)) uses.accumulators.push_back(write.resource);
    uses.ends_group = instruction.mod.barrier == 0;
    return uses;
  }
  if (instruction.opcode == isa::Opcode::kWarpgroup && instruction.mod.variant == 1)
    uses.groups_left = instruction.mod.depbar_count;
  for (const isa::ResourceRead& read : use.reads) {
    auto& to = read.slot == isa::UseSlot::kGuard ? uses.guards : uses.reads;
    to.push_back({read.resource, reader_of(instruction, read.slot)});
  }
  for (const isa::ResourceWrite& write : use.writes) {
    FixedWrite fixed;
    fixed.writer = writer_of(instruction, write.word);
    fixed.guarded = instruction.guard.index != isa::kPredicateTrue;
    if (fixed.writer == Writer::kMatrix) {
      fixed.matrix_latency = static_cast<std::uint8_t>(matrix_latency(instruction.mma));
      fixed.eight_rows = instruction.mma.m == 8;
    }
    const bool with_sources = instruction.opcode == isa::Opcode::kAtom && isa::is_predicate(write.resource);
    uses.writes.push_back({write.resource, fixed, with_sources});
  }
  const auto is_register = [](const isa::ResourceWrite& w) { return w.resource < isa::kFirstPredicate; };
  uses.predicates_only = std::none_of(use.writes.begin(), use.writes.end(), is_register);
  uses.scoreboard = needs_scoreboard(instruction);
  uses.unit = unit_of(instruction.opcode);
  return uses;
}

KernelUses::KernelUses(const isa::Kernel& of, const MatrixLatency& matrix_latency, IssueCycles issue_cycles)
    : kernel(of), cycles(issue_cycles) {
  instructions.reserve(of.code.size());
  for (const isa::Instruction& instruction : of.code) instructions.push_back(uses_of(instruction, matrix_latency));
}

}  // namespace stc::dependence
