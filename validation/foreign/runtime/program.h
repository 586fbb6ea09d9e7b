// SPDX-License-Identifier: Apache-2.0
// What the program registered and what it has on the device: one object for the whole process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "validation/foreign/runtime/cubin_image.h"
#include "validation/foreign/runtime/device_memory.h"

namespace stc::foreign {

/// The image of one translation unit, or of a cubin file; read when it is first used.
class Module {
 public:
  explicit Module(const void* container) : container_(container) {}
  explicit Module(std::string file) : file_(std::move(file)) {}
  const CubinImage& image();

 private:
  const void* container_ = nullptr;
  std::string file_;
  std::unique_ptr<CubinImage> image_;
};

struct Kernel {
  Module* module;
  std::string name;
  bool non_portable_cluster = false;  ///< cudaFuncAttributeNonPortableClusterSizeAllowed
  const KernelImage& image() const;
};

struct Variable {
  Module* module;
  std::string name;
  std::size_t bytes;
  bool constant;
  std::vector<std::uint8_t> constant_data;  ///< __constant__: what the host set; empty: nothing yet
  void** managed = nullptr;                 ///< __managed__: the program's pointer to it
};

class Program {
 public:
  static Program& get();

  Module* add_module(const void* container);
  void add_kernel(const void* key, Module* module, const std::string& name);
  void add_variable(const void* key, const Variable& variable) { variables_.emplace(key, variable); }
  /// Key of a new kernel of a cubin file.
  const void* add_library_kernel(Module* module, const std::string& name);
  Module* add_library(const std::string& file);

  Kernel& kernel(const void* key);
  /// nullptr when nothing was registered under this host address.
  Variable* variable(const void* key);
  /// Whether the runtime knows all addresses in the variable's first contents. Those of functions and of constants only
  /// the simulator knows: such a variable lives for one launch, as if nobody ever wrote it.
  bool can_place(Module* module, const std::string& variable);
  /// Device address of a __device__ variable. Stops where it cannot be placed.
  std::uint64_t address_of(const Variable& variable);
  /// Gives the module's managed variables their places and the program their addresses.
  void place_managed(const Module* module);
  /// Bytes that the host reads and writes.
  std::vector<std::uint8_t>& constant_data(Variable& variable);
  std::vector<Variable*> variables_of(const Module* module);

  DeviceMemory memory;

  /// Limits that the program set, by the simulator's names of them.
  std::map<std::string, std::size_t> limits;

 private:
  bool can_place(Module* module, const std::string& variable, std::set<std::string>& seen);
  std::uint64_t place(Module* module, const std::string& variable, bool managed);

  std::map<std::pair<Module*, std::string>, std::uint64_t> placed_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::unique_ptr<Kernel>> library_kernels_;
  std::map<const void*, Kernel> kernels_;
  std::map<const void*, Variable> variables_;
};

}  // namespace stc::foreign
