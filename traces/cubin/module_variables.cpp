// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/module_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/architecture.h"
#include "models/isa/state/address_space.h"

namespace stc::cubin {
namespace {

constexpr std::uint8_t kObjectSymbol = 1;

bool holds_variables(const Section& section) {
  return section.name == ".nv.global" || section.name == ".nv.global.init" || section.name == kConstantVariables;
}

}  // namespace

std::vector<isa::ModuleVariable> module_variables(const ElfImage& elf) {
  std::vector<isa::ModuleVariable> variables;
  for (const Symbol& symbol : elf.symbols()) {
    if (symbol.type != kObjectSymbol || symbol.size == 0 || symbol.section >= elf.sections().size()) continue;
    const Section& home = elf.sections()[symbol.section];
    if (!holds_variables(home)) continue;
    if (symbol.value > home.size || symbol.size > home.size - symbol.value) {
      elf.fail("symbol table", fmt::format("the variable {} lies outside {}", symbol.name, home.name));
    }
    isa::ModuleVariable variable;
    variable.name = symbol.name;
    variable.bytes = symbol.size;
    if (home.in_file && home.data != nullptr) {
      variable.initial.assign(home.data + symbol.value, home.data + symbol.value + symbol.size);
    }
    if (home.name == kConstantVariables) variable.constant_offset = static_cast<std::uint32_t>(symbol.value);
    variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace stc::cubin
