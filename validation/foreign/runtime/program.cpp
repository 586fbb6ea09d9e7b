// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/program.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "validation/foreign/runtime/device.h"
#include "validation/foreign/runtime/stop.h"

namespace stc::foreign {
namespace {

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) stop(kExitUsage, path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

const CubinImage& Module::image() {
  if (image_ != nullptr) return *image_;
  try {
    const std::vector<std::uint8_t> bytes =
        container_ != nullptr ? choose_cubin(container_, sm_version()) : read_file(file_);
    image_ = std::make_unique<CubinImage>(read_cubin(bytes));
  } catch (const std::runtime_error& error) {
    stop(kExitUsage, error.what());
  }
  return *image_;
}

const KernelImage& Kernel::image() const {
  const auto found = module->image().kernels.find(name);
  if (found == module->image().kernels.end()) stop(kExitUsage, "the image has no kernel " + name);
  return found->second;
}

// Never destroyed: programs call the runtime while they end.
Program& Program::get() {
  static auto* program = new Program;
  return *program;
}

Module* Program::add_module(const void* container) {
  modules_.push_back(std::make_unique<Module>(container));
  return modules_.back().get();
}

Module* Program::add_library(const std::string& file) {
  modules_.push_back(std::make_unique<Module>(file));
  return modules_.back().get();
}

void Program::add_kernel(const void* key, Module* module, const std::string& name) {
  kernels_.emplace(key, Kernel{module, name});
}

const void* Program::add_library_kernel(Module* module, const std::string& name) {
  library_kernels_.push_back(std::make_unique<Kernel>(Kernel{module, name}));
  const void* key = library_kernels_.back().get();
  add_kernel(key, module, name);
  return key;
}

Kernel& Program::kernel(const void* key) {
  const auto found = kernels_.find(key);
  if (found == kernels_.end()) stop(kExitUsage, "a function that is no kernel was launched");
  return found->second;
}

Variable* Program::variable(const void* key) {
  const auto found = variables_.find(key);
  return found == variables_.end() ? nullptr : &found->second;
}

bool Program::can_place(Module* module, const std::string& variable, std::set<std::string>& seen) {
  if (!seen.insert(variable).second) return true;
  const auto image = module->image().variables.find(variable);
  if (image == module->image().variables.end() || image->second.constant) return false;
  for (const PointerImage& pointer : image->second.pointers) {
    if (!can_place(module, pointer.to, seen)) return false;
  }
  return true;
}

bool Program::can_place(Module* module, const std::string& variable) {
  std::set<std::string> seen;
  return can_place(module, variable, seen);
}

std::uint64_t Program::place(Module* module, const std::string& variable, bool managed) {
  std::uint64_t& address = placed_[{module, variable}];
  if (address != 0) return address;
  const VariableImage& image = module->image().variables.at(variable);
  const std::size_t bytes = image.initial.size();
  const std::uint64_t place_of = managed ? memory.allocate_managed(bytes, variable) : memory.allocate(bytes, variable);
  address = place_of;
  std::uint8_t* const data = memory.translate(place_of, bytes);
  std::copy(image.initial.begin(), image.initial.end(), data);
  for (const PointerImage& pointer : image.pointers) {
    const std::uint64_t target = place(module, pointer.to, false) + static_cast<std::uint64_t>(pointer.addend);
    std::memcpy(data + pointer.offset, &target, sizeof target);
  }
  return place_of;
}

std::uint64_t Program::address_of(const Variable& variable) {
  if (!can_place(variable.module, variable.name)) {
    stop(kExitUsage, "the host uses " + variable.name +
                         ", which holds the address of a function or a constant: the runtime does not know it");
  }
  return place(variable.module, variable.name, variable.managed != nullptr);
}

void Program::place_managed(const Module* module) {
  for (Variable* variable : variables_of(module)) {
    if (variable->managed != nullptr) *variable->managed = reinterpret_cast<void*>(address_of(*variable));
  }
}

std::vector<std::uint8_t>& Program::constant_data(Variable& variable) {
  if (variable.constant_data.empty()) {
    const auto image = variable.module->image().variables.find(variable.name);
    if (image != variable.module->image().variables.end()) {
      if (!image->second.pointers.empty()) {
        stop(kExitUsage, "the host sets " + variable.name + ", a constant that starts with addresses");
      }
      variable.constant_data = image->second.initial;
    }
    variable.constant_data.resize(variable.bytes);
  }
  return variable.constant_data;
}

std::vector<Variable*> Program::variables_of(const Module* module) {
  std::vector<Variable*> found;
  for (auto& [key, variable] : variables_) {
    if (variable.module == module) found.push_back(&variable);
  }
  return found;
}

}  // namespace stc::foreign
