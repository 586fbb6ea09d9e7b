// SPDX-License-Identifier: Apache-2.0
// Modifiers of operations between lanes, barriers and control flow.
#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa::modifiers {

std::string shuffle_mode(const Instruction& i) {
  static constexpr const char* kModes[] = {".IDX", ".UP", ".DOWN", ".BFLY"};
  return kModes[static_cast<int>(i.mod.shuffle)];
}
std::string vote(const Instruction& i) {
  static constexpr const char* kNames[] = {".ALL", ".ANY", ".EQ"};
  return kNames[static_cast<int>(i.mod.vote)];
}
std::string match(const Instruction& i) {
  return Text().add(i.mod.vote == VoteMode::kAll ? "ALL" : "ANY").add("U64", i.mod.is_64bit).str();
}
std::string reduction(const Instruction& i) {
  Text t;
  if (i.mem.atomic == AtomicOp::kAdd) {
    t.add("SUM");
  } else {
    t.add(name_of(i.mem.atomic), i.mem.atomic != AtomicOp::kAnd);
  }
  return t.add("S32", i.mod.is_signed).str();
}

std::string barrier(const Instruction& i) {
  static constexpr const char* kReductions[] = {"RED.POPC", "RED.AND", "RED.OR", "RED.OP3"};
  static constexpr const char* kModes[] = {"SYNC", "ARV", nullptr, "SCAN"};
  const Modifiers& m = i.mod;
  Text t;
  t.add(m.bar == BarMode::kReduce ? kReductions[m.variant & 3] : kModes[static_cast<int>(m.bar)]);
  return t.add("DEFER_BLOCKING", (m.variant & 16) != 0).str();
}
std::string barrier_result(const Instruction& i) { return i.mod.variant == 1 ? ".RESULT" : ""; }

std::string branch(const Instruction& i) {
  static constexpr const char* kNames[] = {"", ".U", ".DIV", ".CONV", ".U.ANY"};
  return kNames[i.mod.variant];
}
std::string call(const Instruction& i) { return i.mod.variant == 1 ? ".ABS.NOINC" : ".REL.NOINC"; }
std::string return_mode(const Instruction& i) { return i.mod.variant == 1 ? ".ABS.NODEC" : ".REL.NODEC"; }
std::string clear(const Instruction& i) { return i.mod.variant == 1 ? ".CLEAR" : ""; }
std::string warpsync_mode(const Instruction& i) {
  static constexpr const char* kNames[] = {"", ".ALL", ".COLLECTIVE", ".EXCLUSIVE"};
  const bool all = i.mod.variant == 2 && i.b.kind != Operand::Kind::kRegister;
  return Text().raw(kNames[i.mod.variant & 3]).add("ALL", all).str();
}
std::string between_looks(const Instruction& i) { return i.mod.variant == 1 ? ".SYNCS" : ""; }
std::string breakpoint(const Instruction& i) {
  static constexpr const char* kModes[] = {".DRAIN", ".CAL", ".PAUSE", ".TRAP", ".INT", ".MODE5", ".MODE6", ".MODE7"};
  return kModes[i.mod.variant & 7];
}

}  // namespace stc::isa::modifiers
