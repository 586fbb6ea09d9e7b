// SPDX-License-Identifier: Apache-2.0
// Operands of operations between lanes, barriers and control flow.
#include <fmt/format.h>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa::operands {
namespace {

std::string convergence_barrier(const Instruction& i) { return fmt::format("B{}", i.mod.barrier); }

/// Register branches print the register and the byte offset that is added to it; `bare`: the register alone.
std::string target(const Instruction& i, bool bare) {
  Operands o(i);
  o.optional_source(i.source_predicate0);
  if (i.a.kind == Operand::Kind::kRegister) {
    const std::string base = register_name(i.a.index);
    return o.text(bare ? base : fmt::format("{} {:#x}", base, i.target)).str();
  }
  if (i.b.kind == Operand::Kind::kUniform) o.source(i.b, kHex, "", true);
  return o.hex(i.target).str();
}

}  // namespace

std::string shuffle(const Instruction& i) {
  return Operands(i).predicate_dest(i.dest_predicate0).dest().source(i.a).source(i.b).source(i.c).str();
}
std::string vote(const Instruction& i) {
  Operands o(i);
  if (i.dest != (is_uniform_operation(i.opcode) ? kUniformZero : kRegisterZero)) o.dest();
  return o.predicate_dest(i.dest_predicate0).source(i.source_predicate0).str();
}
std::string match(const Instruction& i) {
  Operands o(i);
  if (i.mod.vote == VoteMode::kAll) o.predicate_dest(i.dest_predicate0);
  return o.dest().source(i.a).str();
}
std::string elect(const Instruction& i) {
  return Operands(i).predicate_dest(i.dest_predicate0).dest().source(i.source_predicate0).str();
}

std::string barrier(const Instruction& i) {
  Operands o(i);
  o.source(i.a);
  if (i.b.kind != Operand::Kind::kNone) o.source(i.b);
  if (i.mod.bar == BarMode::kReduce) o.source(i.source_predicate0);
  return o.str();
}
std::string barrier_result(const Instruction& i) { return Operands(i).dest().optional_dest(i.dest_predicate0).str(); }
std::string scoreboard_counts(const Instruction& i) {
  std::string text;
  if (i.mod.depbar_scoreboard < kScoreboards) {
    text = fmt::format("SB{}, {:#x}", i.mod.depbar_scoreboard, i.mod.depbar_count);
    if (i.mod.depbar_wait_zero == 0) return text;
    text += ", ";
  }
  std::string set;
  for (int sb = 5; sb >= 0; --sb) {
    if ((i.mod.depbar_wait_zero >> sb) & 1) set += (set.empty() ? "" : ",") + std::to_string(sb);
  }
  return text + "{" + set + "}";
}

std::string branch(const Instruction& i) { return target(i, false); }
std::string call(const Instruction& i) { return target(i, i.mod.variant == 1); }
std::string convergence(const Instruction& i) {
  return Operands(i).optional_source(i.source_predicate0).text(convergence_barrier(i)).str();
}
std::string convergence_target(const Instruction& i) {
  return Operands(i).optional_source(i.source_predicate0).text(convergence_barrier(i)).hex(i.target).str();
}
std::string move_barrier(const Instruction& i) {
  const bool to_barrier = i.mod.variant == 2;
  if (to_barrier) return convergence_barrier(i) + ", " + register_name(i.b.index);
  return Operands(i).dest().text(convergence_barrier(i)).str();
}
std::string warpsync(const Instruction& i) {
  Operands o(i);
  o.optional_source(i.source_predicate0);
  if (i.b.kind == Operand::Kind::kRegister || i.mod.variant == 0) o.source(i.b);
  return i.mod.variant == 2 ? o.hex(i.target).str() : o.str();
}
std::string optional_predicate(const Instruction& i) { return Operands(i).optional_source(i.source_predicate0).str(); }
std::string sleep(const Instruction& i) { return Operands(i).optional_source(i.source_predicate0).source(i.b).str(); }
std::string breakpoint(const Instruction& i) { return i.b.value == 0 ? "" : Operands(i).source(i.b).str(); }

}  // namespace stc::isa::operands
