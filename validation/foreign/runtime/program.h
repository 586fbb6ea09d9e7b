// SPDX-License-Identifier: Apache-2.0
// What the program registered and what it has on the device: one object for the whole process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
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
  std::uint64_t address = 0;                ///< __device__: of its allocation, once it has one
  std::vector<std::uint8_t> constant_data;  ///< __constant__: what the host set; empty: nothing yet
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
  /// Device address of a __device__ variable.
  std::uint64_t address_of(Variable& variable);
  /// Bytes that the host reads and writes.
  std::vector<std::uint8_t>& constant_data(Variable& variable);
  std::vector<Variable*> variables_of(const Module* module);

  DeviceMemory memory;

 private:
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::unique_ptr<Kernel>> library_kernels_;
  std::map<const void*, Kernel> kernels_;
  std::map<const void*, Variable> variables_;
};

}  // namespace stc::foreign
