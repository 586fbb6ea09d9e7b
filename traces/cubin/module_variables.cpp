// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/module_variables.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <tuple>

#include "models/core/architecture.h"
#include "models/isa/state/address_space.h"

namespace stc::cubin {
namespace {

constexpr std::uint8_t kObjectSymbol = 1;

bool holds_variables(const Section& section) {
  return section.name == ".nv.global" || section.name == ".nv.global.init" || section.name == kConstantVariables;
}

}  // namespace

std::string name_with_place(const Symbol& symbol, const Section& home) {
  return fmt::format("{}@{}+{:#x}", symbol.name, home.name, symbol.value);
}

std::vector<ListedVariable> module_variables(const ElfImage& elf) {
  std::vector<ListedVariable> variables;
  std::set<std::string> names;
  std::set<std::tuple<std::string, std::uint16_t, std::uint64_t>> seen;
  for (std::uint32_t index = 0; index < elf.symbols().size(); ++index) {
    const Symbol& symbol = elf.symbols()[index];
    if (symbol.type != kObjectSymbol || symbol.size == 0 || symbol.section >= elf.sections().size()) continue;
    const Section& home = elf.sections()[symbol.section];
    if (!holds_variables(home)) continue;
    if (symbol.value > home.size || symbol.size > home.size - symbol.value) {
      elf.fail("symbol table", fmt::format("the variable {} lies outside {}", symbol.name, home.name));
    }
    if (!seen.emplace(symbol.name, symbol.section, symbol.value).second) continue;
    isa::ModuleVariable variable;
    variable.name = names.insert(symbol.name).second ? symbol.name : name_with_place(symbol, home);
    variable.bytes = symbol.size;
    if (home.in_file && home.data != nullptr) {
      variable.initial.assign(home.data + symbol.value, home.data + symbol.value + symbol.size);
    }
    if (home.name == kConstantVariables) variable.constant_offset = static_cast<std::uint32_t>(symbol.value);
    variables.push_back({index, std::move(variable)});
  }
  return variables;
}

}  // namespace stc::cubin
