// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/unmodelled_state.h"

#include <algorithm>
#include <array>

#include "models/core/architecture.h"
#include "models/isa/bulk_form.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/state/launch_words.h"
#include "models/isa/text/listing.h"
#include "models/isa/values/special_register.h"

namespace stc::cubin {
namespace {

/// The operands that name an offset of constant bank 0 by a number alone.
bool fixed_launch_constant(const isa::Operand& o, const isa::Instruction& i) {
  const bool indexed = (i.opcode == isa::Opcode::kLdc && i.mem.address_register != isa::kRegisterZero) ||
                       (i.opcode == isa::Opcode::kUldc && i.mem.uniform_register != isa::kUniformZero);
  return o.kind == isa::Operand::Kind::kConstant && o.bank == 0 && !indexed;
}

bool reads_words(const isa::Instruction& i, std::uint32_t begin, std::uint32_t bytes) {
  const std::array<isa::Operand, 3> operands{i.a, i.b, i.c};
  return std::any_of(operands.begin(), operands.end(), [&](const isa::Operand& o) {
    return fixed_launch_constant(o, i) && o.value >= begin && o.value - begin < bytes;
  });
}

bool reads_words(const isa::Kernel& kernel, std::uint32_t begin, std::uint32_t bytes) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [&](const isa::Instruction& i) { return reads_words(i, begin, bytes); });
}

bool reads_special_register(isa::Opcode opcode) {
  return opcode == isa::Opcode::kS2r || opcode == isa::Opcode::kS2ur || opcode == isa::Opcode::kCs2r;
}

/// A register and a uniform register, of which one has 32 bits; LDGSTS may have them on two sides.
bool adds_narrow_register(const isa::Instruction& i) {
  return i.opcode != isa::Opcode::kLdgsts && i.mem.address_64bit && i.mem.uniform_register != isa::kUniformZero &&
         !i.mem.uniform_is_64bit;
}

/// Operations that are decoded and shown, but not modelled.
const char* unmodelled_operation(const isa::Instruction& i) {
  const bool by_columns = isa::BulkForm::of(i.mod.variant).by_columns;
  if (i.opcode == isa::Opcode::kUtmaredg && by_columns) return "tensor reductions by columns (im2col)";
  return adds_narrow_register(i) ? "64-bit addresses that are sums with a 32-bit register" : nullptr;
}

}  // namespace

std::string unmodelled_state(const isa::Instruction& i, const isa::Kernel& kernel) {
  if (const char* const operation = unmodelled_operation(i)) return operation;
  if (reads_special_register(i.opcode) && !isa::models_special_register(i.mod.special_register)) {
    return "special register " + isa::special_register_name(i.mod.special_register);
  }
  const Architecture& architecture = architecture_of(kernel.sm_version);
  for (const isa::Operand& o : {i.a, i.b, i.c}) {
    if (!fixed_launch_constant(o, i)) continue;
    const std::uint32_t bytes = i.opcode == isa::Opcode::kLdc || i.opcode == isa::Opcode::kUldc ? i.mem.bytes : 4;
    for (std::uint32_t at = o.value; at < o.value + bytes && at < kernel.parameter_base; at += 4) {
      std::string name = isa::unmodelled_launch_word(architecture, at);
      if (!name.empty()) return name;
    }
  }
  return "";
}

bool points_to_constants(const isa::Kernel& kernel) {
  const auto patched = [&](const isa::AddressPatch& p) {
    return kernel.variables[p.variable].constant_offset.has_value();
  };
  return std::any_of(kernel.address_patches.begin(), kernel.address_patches.end(), patched) ||
         reads_words(kernel, architecture_of(kernel.sm_version).constants.generic_constants, 8);
}

bool points_to_parameters(const isa::Kernel& kernel) {
  return reads_words(kernel, architecture_of(kernel.sm_version).constants.generic_parameters, 8);
}

}  // namespace stc::cubin
