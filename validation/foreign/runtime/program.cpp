// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/program.h"

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

std::uint64_t Program::address_of(Variable& variable) {
  if (variable.address == 0) {
    variable.address = memory.allocate(variable.bytes, variable.name);
    const auto image = variable.module->image().variables.find(variable.name);
    if (image != variable.module->image().variables.end()) {
      memory.allocations()[variable.address].data = image->second.initial;
    }
  }
  return variable.address;
}

std::vector<std::uint8_t>& Program::constant_data(Variable& variable) {
  if (variable.constant_data.empty()) {
    const auto image = variable.module->image().variables.find(variable.name);
    if (image != variable.module->image().variables.end()) variable.constant_data = image->second.initial;
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
