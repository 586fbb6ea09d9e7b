// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/unset_symbols.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"

namespace stc::isa {

void UnsetSymbols::watch_global(const std::string& name, std::uint64_t place, std::uint64_t bytes) {
  variables_.push_back({name, place, place + bytes, false, false, std::vector<bool>(bytes)});
}

void UnsetSymbols::watch_constant(const std::string& name, std::uint64_t place, std::uint64_t bytes) {
  variables_.push_back({name, place, place + bytes, true, false, std::vector<bool>(bytes)});
}

void UnsetSymbols::touch(Variable& variable, std::uint64_t begin, std::uint64_t end, bool reads, bool writes) {
  begin = std::max(begin, variable.begin);
  end = std::min(end, variable.end);
  for (std::uint64_t at = begin; at < end; ++at) {
    const auto byte = static_cast<std::size_t>(at - variable.begin);
    if (reads && !variable.written[byte]) variable.read = true;
    if (writes) variable.written[byte] = true;
  }
}

void UnsetSymbols::global_access(const Execution& x, unsigned bytes, bool write) {
  const bool reads = !write || is_atomic(x.instruction.opcode);
  for (Variable& variable : variables_) {
    if (variable.constant || variable.read) continue;
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
      const std::uint64_t address = x.result.address[static_cast<std::size_t>(__builtin_ctz(m))];
      touch(variable, address, address + bytes, reads, write);
    }
  }
}

void UnsetSymbols::constant_read(int bank, std::uint64_t offset, std::uint64_t bytes) {
  if (bank != kVariableBank) return;
  for (Variable& variable : variables_) {
    if (variable.constant) touch(variable, offset, offset + bytes, true, false);
  }
}

std::vector<std::string> UnsetSymbols::read() const {
  std::vector<std::string> names;
  for (const Variable& variable : variables_) {
    const bool known = std::find(names.begin(), names.end(), variable.name) != names.end();
    if (variable.read && !known) names.push_back(variable.name);
  }
  return names;
}

}  // namespace stc::isa
