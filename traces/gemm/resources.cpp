// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/resources.h"

#include "models/isa/execute.h"
#include "traces/gemm/gemm_design.h"

namespace stc::gemm {
namespace {

using isa::Instruction;
using isa::Opcode;

void add_range(std::vector<int>& to, int first, int count) {
  for (int k = 0; k < count; ++k) to.push_back(first + k);
}

void add_predicate(std::vector<int>& to, int index, bool uniform) {
  if (index != isa::kPredicateTrue) to.push_back((uniform ? kFirstUniformPredicate : kFirstPredicate) + index);
}

void add_uniform(std::vector<int>& to, int index) {
  if (index != isa::kUniformZero) to.push_back(kFirstUniform + index);
}

}  // namespace

bool is_matrix(const Instruction& i) { return i.opcode == Opcode::kHmma || i.opcode == Opcode::kImma; }

bool is_uniform(const Instruction& i) {
  return i.opcode == Opcode::kUiadd3 || i.opcode == Opcode::kUisetp || i.opcode == Opcode::kUsel ||
         i.opcode == Opcode::kUmov;
}

bool is_variable(const Instruction& i) {
  return i.control.write_scoreboard != isa::kNoScoreboard || i.control.read_scoreboard != isa::kNoScoreboard;
}

bool moves_data(const Instruction& i) { return i.opcode == Opcode::kLdsm || i.opcode == Opcode::kLdgsts; }

Uses uses_of(const Instruction& i) {
  Uses uses;
  const bool uniform = is_uniform(i);
  const isa::RegisterUse general = isa::register_use(i);
  for (int s = 0; s < general.source_count; ++s) {
    const isa::RegisterRange& range = general.sources[static_cast<std::size_t>(s)];
    // Metadata of wide indices fills more than the one register that register_use() counts.
    const bool metadata = is_matrix(i) && i.mma.sparse && range.slot == 3;
    add_range(uses.reads, range.first, metadata ? metadata_register_count(i.mma) : range.count);
  }
  for (const isa::Operand* o : {&i.a, &i.b, &i.c}) {
    if (o->kind == isa::Operand::Kind::kUniform) add_uniform(uses.reads, o->index);
  }
  add_uniform(uses.reads, i.mem.uniform_register);
  add_predicate(uses.reads, i.guard.index, i.guard.uniform);
  add_predicate(uses.reads, i.source_predicate0.index, uniform);
  add_predicate(uses.writes, i.dest_predicate0, uniform);
  if (uniform && i.opcode != Opcode::kUisetp) {
    add_uniform(uses.writes, i.dest);
  } else {
    for (int d = 0; d < general.dest_count; ++d) {
      const isa::RegisterRange& range = general.dests[static_cast<std::size_t>(d)];
      add_range(uses.writes, range.first, range.count);
    }
  }
  return uses;
}

}  // namespace stc::gemm
