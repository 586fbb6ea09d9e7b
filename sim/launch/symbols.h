// SPDX-License-Identifier: Apache-2.0
// Variables of a module that the host sets before a launch:
//   symbols:
//     coefficients: {fill: {random_f32: {seed: 1}}}
//     "image::gamma": {file: gamma.bin}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "sim/launch/fill.h"

namespace stc::sim {

struct SymbolPlan {
  std::string name;  ///< mangled, or as in the source: with namespaces, or the last name alone when that is unique
  Fill fill;
  std::string place;  ///< in the run file
};

/// A variable and its bytes.
struct SymbolValue {
  std::string name;  ///< mangled
  std::vector<std::uint8_t> data;
};

/// Name as in the source, for people: "image::gamma". Names without C++ linkage stay as they are.
std::string source_name(const std::string& symbol);

/// Finds each variable in the module and makes its contents. UserError when there is none or several of a name, or the
/// sizes disagree.
std::vector<SymbolValue> resolve_symbols(const std::vector<SymbolPlan>& plans,
                                         const std::vector<isa::ModuleVariable>& variables, const std::string& module);

}  // namespace stc::sim
