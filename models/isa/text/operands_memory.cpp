// SPDX-License-Identifier: Apache-2.0
// Operands of memory operations.
#include "models/core/architecture.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa::operands {
namespace {

std::string copy_shared_side(const MemoryFields& m) {
  std::string base = register_name(m.shared_register);
  if (m.uniform_on_shared_side && m.uniform_register != kUniformZero) base += "+" + uniform_name(m.uniform_register);
  return "[" + with_offset(base, m.shared_offset) + "]";
}
std::string copy_global_side(const MemoryFields& m) {
  std::string base = register_name(m.address_register);
  if (m.address_64bit) base += ".64";
  if (!m.uniform_on_shared_side && m.uniform_register != kUniformZero) base += "+" + uniform_name(m.uniform_register);
  const std::string text = "[" + with_offset(base, m.offset) + "]";
  return m.descriptor_shown ? "desc[" + uniform_name(m.descriptor) + "]" + text : text;
}

std::string atomic_data(const Instruction& i, Operands& o) {
  if (i.mem.atomic == AtomicOp::kCas) o.text(register_name(i.mem.compare_register));
  return o.text(register_name(i.mem.data_register)).str();
}

}  // namespace

std::string constant(const Instruction& i) {
  const bool indexed = i.mem.address_register != kRegisterZero;
  const std::string index = indexed ? register_name(i.mem.address_register) : "";
  return Operands(i).dest().text(constant_address(i.b, index, "RZ")).str();
}
std::string uniform_constant(const Instruction& i) {
  const bool indexed = i.mem.uniform_register != kUniformZero;
  const std::string index = indexed ? uniform_name(i.mem.uniform_register) : "";
  return Operands(i).dest().text(constant_address(i.b, index, "0x0")).str();
}

std::string load(const Instruction& i) { return Operands(i).dest().text(address(i)).str(); }
std::string load_global(const Instruction& i) {
  return Operands(i).optional_dest(i.dest_predicate0).dest().text(address(i)).str();
}
std::string store(const Instruction& i) {
  return Operands(i).text(address(i)).text(register_name(i.mem.data_register)).str();
}
std::string copy(const Instruction& i) {
  Operands o(i);
  o.text(copy_shared_side(i.mem)).text(copy_global_side(i.mem));
  return o.optional_source(i.source_predicate0).str();
}
std::string atomic(const Instruction& i) {
  Operands o(i);
  o.predicate_dest(i.dest_predicate0).dest().text(address(i));
  return atomic_data(i, o);
}
std::string shared_atomic(const Instruction& i) {
  Operands o(i);
  const bool without_data = i.mod.variant == 2 || i.mod.variant == 3;  // POPC.INC, ARRIVE
  if (without_data) return o.dest().text(address_with_uniform(i)).str();
  o.dest().text(address(i));
  return atomic_data(i, o);
}
std::string address_space(const Instruction& i) {
  const bool uniform = i.mem.uniform_register != kUniformZero;
  const bool shows_zero = uniform && architecture_of(i.sm).encoding.narrow_zero_register;
  const std::string pointer = "RZ.U32+" + uniform_name(i.mem.uniform_register);
  const std::string place = shows_zero ? "[" + with_offset(pointer, i.mem.offset) + "]" : address(i);
  return Operands(i).predicate_dest(i.dest_predicate0).dest().text(place).str();
}
std::string cache_control(const Instruction& i) { return i.mod.variant == 4 ? "" : address(i); }

std::string mbarrier_exchange(const Instruction& i) {
  return Operands(i).text("URZ").text(address_with_uniform(i)).source(i.b).str();
}
std::string mbarrier_arrival(const Instruction& i) {
  return Operands(i).dest().text(address_with_uniform(i)).source(i.b).str();
}
std::string mbarrier_phase(const Instruction& i) {
  return Operands(i).predicate_dest(i.dest_predicate0).text(address_with_uniform(i)).source(i.b).str();
}
std::string mbarrier_address(const Instruction& i) { return address_with_uniform(i); }

}  // namespace stc::isa::operands
