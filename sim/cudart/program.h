// SPDX-License-Identifier: Apache-2.0
// What a program has registered or loaded: modules, kernels, variables. Modules go to the simulated GPU when something
// of them is first used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/cudart/abi.h"
#include "sim/remote/requests.h"

namespace stc::cuda {

/// A container or cubin in the program's memory or, copied, its own.
struct Module {
  const void* image = nullptr;     ///< of a registered one, which the program keeps
  std::vector<std::uint8_t> copy;  ///< of a loaded one
  bool asked = false;
  int error = 0;
  std::uint64_t number = 0;
};

struct Function {
  Module* module = nullptr;
  std::string name;
  bool asked = false;
  int error = 0;
  std::uint64_t number = 0;
  remote::FunctionFacts facts{};
  std::vector<remote::ParameterPlace> parameters;
  int max_dynamic_shared_bytes = 0;
  bool non_portable_cluster = false;
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  std::size_t bytes = 0;
  void** managed = nullptr;  ///< the program's pointer to a __managed__ one
  bool asked = false;
  int error = 0;
  std::uint64_t address = 0;
};

class Program {
 public:
  /// Never destroyed.
  static Program& get();

  Module* add_module(const void* image);
  /// Copies the image, whose size stands in it, and loads it at once. Returns an error.
  int load_module(const void* image, Module** module);
  int unload_module(Module* module);
  void add_function(const void* key, Module* module, const char* name);
  void add_variable(const void* key, const Variable& variable);
  /// Kernel of a loaded module; its own address is its key.
  int find_function(Module* module, const char* name, Function** function);
  int find_variable(Module* module, const char* name, std::uint64_t* address, std::size_t* bytes);

  /// What was registered under this host address or is itself one of ours, with what the GPU says of it.
  int function(const void* key, Function** function);
  int variable(const void* key, Variable** variable);
  /// Places managed variables, and tells the program where.
  int place_managed(const Module* module);
  /// After the device was reset: variables have other places, but for managed ones.
  void reset();

 private:
  int load(Module& module);
  int resolve(Function& function);
  int resolve(Variable& variable);
  Function* add(Module* module, const char* name);

  std::recursive_mutex mutex_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::map<const void*, Function*> by_key_;
  std::map<const void*, Variable> variables_;
};

}  // namespace stc::cuda
