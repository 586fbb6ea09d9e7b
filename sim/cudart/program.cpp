// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/program.h"

#include "sim/cudart/connection.h"
#include "sim/cudart/device_attributes.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/image_bytes.h"

namespace stc::cuda {
Program& Program::get() {
  static auto* const program = new Program;
  return *program;
}

Module* Program::add_module(const void* image) {
  const std::lock_guard lock(mutex_);
  modules_.push_back(std::make_unique<Module>());
  modules_.back()->image = image;
  return modules_.back().get();
}

int Program::load_module(const void* image, Module** module) {
  Module* const made = add_module(nullptr);
  made->copy = image_bytes(image);
  if (made->copy.empty()) {
    say_once(
        "a program was handed to the GPU that is neither a cubin nor a fat binary (PTX cannot be run: compile it)");
    return made->error = remote::kInvalidImage;
  }
  const std::lock_guard lock(mutex_);
  *module = made;
  return load(*made);
}

int Program::unload_module(Module* module) {
  const std::lock_guard lock(mutex_);
  if (module == nullptr || !module->asked || module->error != 0) return remote::kInvalidHandle;
  module->error = remote::kInvalidHandle;
  for (const auto& function : functions_) {
    if (function->module == module) function->error = remote::kInvalidHandle, function->asked = true;
  }
  return Connection::get().tell(remote::Request::kUnloadModule, remote::Packet().put(module->number));
}

Function* Program::add(Module* module, const char* name) {
  functions_.push_back(std::make_unique<Function>());
  functions_.back()->module = module;
  functions_.back()->name = name;
  by_key_[functions_.back().get()] = functions_.back().get();
  return functions_.back().get();
}

void Program::add_function(const void* key, Module* module, const char* name) {
  const std::lock_guard lock(mutex_);
  by_key_[key] = add(module, name);
}

void Program::add_variable(const void* key, const Variable& variable) {
  const std::lock_guard lock(mutex_);
  variables_[key] = variable;
}

int Program::find_function(Module* module, const char* name, Function** function) {
  const std::lock_guard lock(mutex_);
  for (const auto& known : functions_) {
    if (known->module == module && known->name == name) return *function = known.get(), resolve(*known);
  }
  Function* const made = add(module, name);
  const int error = resolve(*made);
  if (error == 0) *function = made;
  return error;
}

int Program::find_variable(Module* module, const char* name, std::uint64_t* address, std::size_t* bytes) {
  const std::lock_guard lock(mutex_);
  if (const int error = load(*module); error != 0) return error;
  remote::Packet answer;
  const int error = Connection::get().ask(remote::Request::kFindVariable,
                                          remote::Packet().put(module->number).put_text(name), answer);
  if (error != 0) return error;
  *address = answer.get<std::uint64_t>();
  *bytes = answer.get<std::uint64_t>();
  return 0;
}

int Program::load(Module& module) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  if (module.asked) return module.error;
  module.asked = true;
  const std::vector<std::uint8_t> bytes = module.image != nullptr ? image_bytes(module.image) : module.copy;
  if (bytes.empty()) {
    say_once("an image that the program registered is damaged");
    return module.error = remote::kInvalidImage;
  }
  remote::Packet answer;
  module.error = Connection::get().ask(remote::Request::kLoadModule, remote::Packet().put_list(bytes), answer);
  if (module.error == 0) module.number = answer.get<std::uint64_t>();
  return module.error;
}

int Program::resolve(Function& function) {
  if (const int error = load(*function.module); error != 0) return error;
  if (function.asked) return function.error;
  function.asked = true;
  remote::Packet answer;
  function.error = Connection::get().ask(remote::Request::kFindFunction,
                                         remote::Packet().put(function.module->number).put_text(function.name), answer);
  if (function.error != 0) return function.error;
  function.number = answer.get<std::uint64_t>();
  function.facts = answer.get<remote::FunctionFacts>();
  function.parameters = answer.get_list<remote::ParameterPlace>();
  function.max_dynamic_shared_bytes = kDefaultSharedBytes - static_cast<int>(function.facts.static_shared_bytes);
  return 0;
}

int Program::resolve(Variable& variable) {
  if (variable.asked) return variable.error;
  std::size_t bytes = 0;
  variable.error = find_variable(variable.module, variable.name.c_str(), &variable.address, &bytes);
  variable.asked = true;
  if (variable.error == 0 && variable.managed != nullptr) {
    variable.error = share_with_host(variable.address, bytes, SharedKind::kManagedVariable);
    *variable.managed = reinterpret_cast<void*>(variable.address);
  }
  return variable.error;
}

int Program::function(const void* key, Function** function) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return remote::kInvalidHandle;
  *function = found->second;
  return resolve(*found->second);
}

int Program::variable(const void* key, Variable** variable) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(key);
  if (found == variables_.end()) return remote::kInvalidSymbol;
  *variable = &found->second;
  return resolve(found->second);
}

void Program::reset() {
  const std::lock_guard lock(mutex_);
  for (auto& [key, variable] : variables_) {
    if (variable.managed == nullptr) variable.asked = false;
  }
}

int Program::place_managed(const Module* module) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, variable] : variables_) {
    if (variable.module != module || variable.managed == nullptr) continue;
    if (const int error = resolve(variable); error != 0) return error;
  }
  return 0;
}

}  // namespace stc::cuda
