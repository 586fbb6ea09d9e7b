// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/launch/data_file.h"

namespace stc::sim {
namespace {

/// What nvcc puts around variables of internal linkage, so that they differ from those of other files.
constexpr char kInternal[] = "_INTERNAL_";
constexpr char kAnonymous[] = "(anonymous namespace)::";

std::string last_name(const std::string& name) {
  const std::size_t arguments = std::min(name.find('<'), name.size());
  const std::size_t at = name.rfind("::", arguments);
  return at == std::string::npos ? name : name.substr(at + 2);
}

const isa::ModuleVariable& find(const SymbolPlan& plan, const std::vector<isa::ModuleVariable>& variables,
                                const std::string& module) {
  std::vector<const isa::ModuleVariable*> found;
  std::vector<std::string> known;
  for (const isa::ModuleVariable& variable : variables) {
    if (variable.name == plan.name) return variable;
    known.push_back(source_name(variable.name));
  }
  for (const bool whole : {true, false}) {
    for (const isa::ModuleVariable& variable : variables) {
      const std::string name = source_name(variable.name);
      if (plan.name == (whole ? name : last_name(name))) found.push_back(&variable);
    }
    if (!found.empty()) break;
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) {
    if (known.empty())
      throw UserError(fmt::format("{}: {} has no __constant__ or __device__ variable", plan.place, module));
    throw UserError(fmt::format("{}: {}: {}", plan.place, module, unknown_word("variable", plan.name, known)));
  }
  std::vector<std::string> several;
  several.reserve(found.size());
  for (const isa::ModuleVariable* variable : found) several.push_back(variable->name);
  throw UserError(fmt::format("{}: {} has {} variables of this name; write one of: {}", plan.place, module,
                              several.size(), join(several, ", ")));
}

std::vector<std::uint8_t> contents(const SymbolPlan& plan, const isa::ModuleVariable& variable) {
  if (plan.fill.kind == Fill::Kind::kFile) {
    std::vector<std::uint8_t> bytes = read_data(plan.fill.file, plan.fill.place);
    if (bytes.size() != variable.bytes) {
      throw UserError(fmt::format("{}: {} has {} bytes, but the variable has {}", plan.fill.place, plan.fill.file,
                                  bytes.size(), variable.bytes));
    }
    return bytes;
  }
  const auto element = static_cast<std::uint64_t>(bytes_of(plan.fill.type));
  if (variable.bytes % element != 0) {
    throw UserError(fmt::format("{}: the variable has {} bytes, which is no multiple of the {} of an {}", plan.place,
                                variable.bytes, element, name_of(plan.fill.type)));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(variable.bytes));
  apply_fill(plan.fill, bytes);
  return bytes;
}

}  // namespace

std::string source_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  std::string name = status == 0 && text != nullptr ? text.get() : symbol;
  if (name.rfind(kInternal, 0) == 0 && name.find("::") != std::string::npos) name = name.substr(name.find("::") + 2);
  if (name.rfind(kAnonymous, 0) == 0) name = name.substr(sizeof kAnonymous - 1);
  return name;
}

std::vector<SymbolValue> resolve_symbols(const std::vector<SymbolPlan>& plans,
                                         const std::vector<isa::ModuleVariable>& variables, const std::string& module) {
  std::vector<SymbolValue> values;
  for (const SymbolPlan& plan : plans) {
    const isa::ModuleVariable& variable = find(plan, variables, module);
    const auto same = [&](const SymbolValue& value) { return value.name == variable.name; };
    if (std::any_of(values.begin(), values.end(), same)) {
      throw UserError(fmt::format("{}: sets {}, which has been set already", plan.place, source_name(variable.name)));
    }
    values.push_back({variable.name, contents(plan, variable)});
  }
  return values;
}

}  // namespace stc::sim
