// SPDX-License-Identifier: Apache-2.0
// Modifiers and operands of bulk copies, tensor copies and asynchronous stores.
#include <fmt/format.h>

#include "models/isa/bulk_form.h"
#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa {
namespace {

std::string block_spaces(const Instruction& i) {
  const BulkForm form = BulkForm::of(i.mod.variant);
  return fmt::format(".{}.{}", form.to_shared ? 'S' : 'G', form.from_shared ? 'S' : 'G');
}
bool is_float(ScalarType type) {
  return type == ScalarType::kF16 || type == ScalarType::kBf16 || type == ScalarType::kF32 || type == ScalarType::kF64;
}
std::string in_brackets(const Operand& o) { return "[" + operands::uniform_name(o.index) + "]"; }

}  // namespace

namespace modifiers {

std::string bulk_copy(const Instruction& i) {
  return Text().raw(block_spaces(i)).add("MULTICAST", BulkForm::of(i.mod.variant).multicast).str();
}
std::string bulk_reduction(const Instruction& i) {
  const ScalarType type = i.mod.source_type;
  Text t;
  t.raw(block_spaces(i)).add(name_of(i.mem.atomic));
  t.add(type == ScalarType::kBf16 ? "BF16" : name_of(type), type != ScalarType::kU32);
  return t.add("RN", is_float(type)).str();
}
std::string tensor_copy(const Instruction& i) {
  const BulkForm form = BulkForm::of(i.mod.variant);
  Text t;
  t.raw(fmt::format(".{}D", form.dimensions));
  return t.add("IM2COL", form.by_columns).add("MULTICAST", form.multicast).str();
}
std::string tensor_reduction(const Instruction& i) { return tensor_copy(i) + "." + name_of(i.mem.atomic); }
std::string tensor_map_cache(const Instruction& i) { return i.mod.variant == 1 ? ".PF" : ".IV"; }
std::string store_width(const Instruction& i) { return i.mem.bytes == 4 ? "" : fmt::format(".{}", 8 * i.mem.bytes); }
std::string async_reduction(const Instruction& i) {
  const ScalarType type = i.mod.source_type;
  return Text()
      .add(name_of(i.mem.atomic))
      .add("S32", type == ScalarType::kS32)
      .add("64", type == ScalarType::kU64)
      .str();
}

}  // namespace modifiers

namespace operands {
namespace {

std::string policy_of(const Instruction& i) { return fmt::format("desc[{}]", uniform_name(i.mem.descriptor)); }

}  // namespace

std::string bulk_copy(const Instruction& i) {
  Operands o(i);
  o.text(in_brackets(i.b)).text(in_brackets(i.a));
  if (i.c.kind == Operand::Kind::kUniform) o.source(i.c);
  return i.mem.descriptor_shown ? o.text(policy_of(i)).str() : o.str();
}
std::string bulk_prefetch(const Instruction& i) {
  Operands o(i);
  o.text(in_brackets(i.a)).source(i.c);
  return i.mem.descriptor_shown ? o.text(policy_of(i)).str() : o.str();
}
std::string tensor_map(const Instruction& i) { return in_brackets(i.a); }
std::string async_store(const Instruction& i) {
  return fmt::format("[{}.64], {}", register_name(i.mem.address_register), register_name(i.mem.data_register));
}

}  // namespace operands
}  // namespace stc::isa
