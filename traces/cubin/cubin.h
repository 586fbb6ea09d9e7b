// SPDX-License-Identifier: Apache-2.0
// A module compiled by nvcc -cubin: its kernels with their resources, decoded on request.
//   Cubin module = open_cubin("gemm.cubin");
//   isa::Kernel kernel = module.decode("f16_dense");
// Everything throws CubinError with file, place and reason. A kernel that holds an instruction the decoder does not
// know can be listed; only decoding it fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/kernel.h"
#include "traces/cubin/elf_image.h"

namespace stc::cubin {

class Cubin {
 public:
  /// `file` names the source in messages.
  Cubin(std::vector<std::uint8_t> bytes, std::string file);

  int sm_version() const { return elf_.sm_version(); }
  /// Resources of all kernels, in the order of their code in the file; `code` is empty.
  const std::vector<isa::Kernel>& kernels() const { return kernels_; }
  /// Instructions of the kernel's text (with the functions that it calls and final padding).
  std::size_t instruction_count(const std::string& kernel) const;
  /// The raw words, low before high, of every instruction.
  std::vector<std::uint64_t> words(const std::string& kernel) const;
  /// The __device__ and __constant__ variables.
  std::vector<isa::ModuleVariable> variables() const;
  /// The kernel with its code.
  isa::Kernel decode(const std::string& kernel) const;

 private:
  void add_kernel(std::uint32_t symbol);
  /// The kernel's text holds further functions.
  bool calls_functions(std::uint32_t kernel_symbol) const;
  const isa::Kernel& find(const std::string& kernel) const;
  const Section& text_of(const std::string& kernel) const;
  void read_constants(isa::Kernel& kernel) const;
  void read_module_variables(isa::Kernel& kernel) const;
  /// Constants, which code reaches through bank 3 alone, and what no kernel uses, but a host may set.
  void add_unreferenced_variables(isa::Kernel& kernel) const;
  void check_text_relocations(const isa::Kernel& kernel) const;

  ElfImage elf_;
  std::vector<isa::Kernel> kernels_;
};

Cubin open_cubin(const std::string& path);

/// All kernels without code.
std::vector<isa::Kernel> list_kernels(const std::string& path);
/// All kernels with code; throws when one of them cannot be decoded.
std::vector<isa::Kernel> read_cubin(const std::string& path);
std::vector<isa::Kernel> read_cubin(std::vector<std::uint8_t> bytes, const std::string& name);

}  // namespace stc::cubin
