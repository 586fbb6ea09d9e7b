// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/resources.h"

namespace stc::gemm {

using isa::Instruction;
using isa::Opcode;

bool is_matrix(const Instruction& i) { return isa::is_matrix(i.opcode); }

bool is_uniform(const Instruction& i) { return isa::is_uniform_operation(i.opcode); }

bool is_variable(const Instruction& i) {
  return i.control.write_scoreboard != isa::kNoScoreboard || i.control.read_scoreboard != isa::kNoScoreboard;
}

bool moves_data(const Instruction& i) { return i.opcode == Opcode::kLdsm || i.opcode == Opcode::kLdgsts; }

Uses uses_of(const Instruction& i) {
  Uses uses;
  const isa::ResourceUse of = isa::resource_use(i);
  for (const isa::ResourceRead& read : of.reads) uses.reads.push_back(read.resource);
  for (const isa::ResourceWrite& write : of.writes) uses.writes.push_back(write.resource);
  return uses;
}

}  // namespace stc::gemm
