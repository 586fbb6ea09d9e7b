// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/isa/values/execute.h"
#include "sim/base/text.h"
#include "sim/remote/requests.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

constexpr const char* kBank = ProgramModule::kConstantBank;

cubin::Cubin read_module(int number, const std::vector<std::uint8_t>& bytes) {
  try {
    return {bytes, fmt::format("module {}", number)};
  } catch (const cubin::CubinError& error) {
    throw ImageError(remote::kInvalidImage, error.what());
  }
}

}  // namespace

ProgramModule::ProgramModule(int number, const ChosenImage& image)
    : number_(number),
      image_version_(image.sm_version),
      hash_(content_hash(image.cubin.data(), image.cubin.size())),
      image_(image.cubin),
      cubin_(read_module(number, image.cubin)) {}

const isa::Kernel* ProgramModule::resources(const std::string& symbol) {
  try {
    return &decoded(symbol);  // functions that it calls may need more registers than it states itself
  } catch (const cubin::CubinError&) {
  }
  const auto& all = cubin_.kernels();
  const auto found = std::find_if(all.begin(), all.end(), [&](const isa::Kernel& k) { return k.name == symbol; });
  return found == all.end() ? nullptr : &*found;
}

const isa::Kernel& ProgramModule::decoded(const std::string& symbol) {
  const auto found = decoded_.find(symbol);
  if (found != decoded_.end()) return found->second;
  return decoded_.emplace(symbol, cubin_.decode(symbol)).first->second;
}

isa::Kernel ProgramModule::placed(const std::string& symbol, isa::GlobalMemory& memory) {
  isa::Kernel kernel = decoded(symbol);
  std::optional<isa::BufferBytes> bank;
  if (const isa::Allocation* constants = memory.find(kBank)) bank = constants->data;
  isa::place_variables(kernel, memory);
  if (bank) {
    memory.find(kBank)->data = *bank;
    kernel.constants[isa::kVariableBank].assign(bank->begin(), bank->end());
  }
  return kernel;
}

void ProgramModule::place(const std::string& symbol, ProgramMemory& home) {
  isa::GlobalMemory memory = home.lend(number_);
  isa::Kernel kernel;
  try {
    kernel = placed(symbol, memory);
  } catch (...) {
    home.take_back(memory, number_, {}, {});
    throw;
  }
  take_back(kernel, home, memory);
}

void ProgramModule::take_back(const isa::Kernel& kernel, ProgramMemory& home, isa::GlobalMemory& memory) const {
  std::set<std::string> names = {kBank};
  for (const isa::ModuleVariable& variable : kernel.variables) {
    if (!variable.constant_offset) names.insert(variable.name);
  }
  home.take_back(memory, number_, names, {"device heap"});
}

/// Any kernel that can be decoded knows all variables of the module; where there is none, only their contents are
/// known.
isa::Kernel ProgramModule::kernel_that_has(const std::string& variable) {
  const auto has_it = [&](const isa::ModuleVariable& v) { return v.name == variable; };
  for (const isa::Kernel& kernel : cubin_.kernels()) {
    try {
      const isa::Kernel& whole = decoded(kernel.name);
      if (std::any_of(whole.variables.begin(), whole.variables.end(), has_it)) return whole;
    } catch (const cubin::CubinError&) {
    }
  }
  isa::Kernel none;
  none.variables = cubin_.variables();
  for (const isa::ModuleVariable& v : none.variables) {
    if (!v.constant_offset) continue;
    std::vector<std::uint8_t>& bank = none.constants[isa::kVariableBank];
    bank.resize(std::max<std::size_t>(bank.size(), *v.constant_offset + v.bytes));
    std::copy(v.initial.begin(), v.initial.end(), bank.begin() + *v.constant_offset);
  }
  return none;
}

ProgramModule::Place ProgramModule::find_variable(const std::string& symbol, ProgramMemory& home) {
  isa::Kernel kernel = kernel_that_has(symbol);
  const auto variable = std::find_if(kernel.variables.begin(), kernel.variables.end(),
                                     [&](const isa::ModuleVariable& v) { return v.name == symbol; });
  if (variable == kernel.variables.end()) return {};
  const std::string block = variable->constant_offset ? kBank : symbol;
  Place place;
  place.bytes = variable->bytes;
  if (home.variable(number_, block, &place.address) == nullptr) {
    isa::GlobalMemory memory = home.lend(number_);
    kernel.points_to_constants = kernel.points_to_constants || variable->constant_offset.has_value();
    isa::place_variables(kernel, memory);
    take_back(kernel, home, memory);
    home.variable(number_, block, &place.address);
  }
  place.address += variable->constant_offset.value_or(0);
  return place;
}

}  // namespace stc::sim
