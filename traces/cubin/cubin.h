// SPDX-License-Identifier: Apache-2.0
// A module compiled by nvcc -cubin: its kernels with their resources, decoded on request.
//   Cubin module = open_cubin("gemm.cubin");
//   isa::Kernel kernel = module.decode("f16_dense");
// Everything throws CubinError with file, place and reason. What a kernel uses that is not modelled stands in its way
// only: look_into() lists it, decode() refuses, and the other kernels can be used.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/elf_image.h"
#include "traces/cubin/linked_code.h"
#include "traces/cubin/source_lines.h"
#include "traces/cubin/unmodelled.h"

namespace stc::cubin {

/// One instruction, decoded or the reason why not.
struct CodeLine {
  std::uint32_t address = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::optional<isa::Instruction> instruction;
  std::string error;
};

/// All that a file says of a kernel.
struct KernelContents {
  isa::Kernel kernel;           ///< `code` is empty
  std::vector<CodePart> parts;  ///< the kernel's text and those of functions that it reaches
  std::vector<CodeLine> lines;
  Unmodelled unmodelled;
  LeftOut left_out;  ///< functions that it might reach through pointers and that cannot run: a call is a fault
};

class Cubin {
 public:
  /// `file` names the source in messages.
  Cubin(std::vector<std::uint8_t> bytes, std::string file);

  int sm_version() const { return elf_.sm_version(); }
  /// Compiled with -rdc=true and not linked yet: kernels can be listed, not run.
  bool relocatable() const { return elf_.relocatable(); }
  /// Where function pointers find its code.
  const CodeAddresses& addresses() const { return addresses_; }
  /// For the code of another module in the same program to be `other`'s alone.
  void move_code_behind(const CodeAddresses& other) { addresses_.move_behind(other); }
  /// Resources of all kernels, in the order of their code in the file; `code` is empty.
  const std::vector<isa::Kernel>& kernels() const { return kernels_; }
  /// The __device__ and __constant__ variables.
  std::vector<isa::ModuleVariable> variables() const;
  /// The kernel with what cannot be modelled, if anything.
  KernelContents look_into(const std::string& kernel) const;
  /// The kernel with its code. Throws with all that is not modelled when there is something.
  isa::Kernel decode(const std::string& kernel) const;
  /// Where its instructions come from, as far as the file says.
  SourceLines source_lines(const std::string& kernel) const;

 private:
  void add_kernel(std::uint32_t symbol);
  /// The kernel's text holds further functions.
  bool calls_functions(std::uint32_t kernel_symbol) const;
  const isa::Kernel& find(const std::string& kernel) const;
  const Section& text_of(const std::string& kernel) const;
  void read_constants(isa::Kernel& kernel) const;
  /// Further names of one place.
  void add_other_names(isa::Kernel& kernel) const;
  int registers_of(const CodePart& part) const;
  /// Compilers and linkers give a kernel the registers of functions of those types that it calls through pointers.
  void require_registers(const CodePart& part, const isa::Kernel& kernel, Unmodelled& unmodelled) const;
  /// What functions in texts of their own add to a kernel's demands.
  void add_demands(const std::vector<CodePart>& parts, isa::Kernel& kernel) const;
  struct Linked;
  /// Links and decodes, but for functions that pointers alone reach and that cannot run. Leaves the links of the code
  /// for decode() to apply.
  Linked link(const isa::Kernel& kernel) const;
  KernelContents read_lines(const LinkedCode& code, isa::Kernel kernel) const;

  ElfImage elf_;
  CodeAddresses addresses_;
  std::vector<isa::Kernel> kernels_;
  std::map<std::uint32_t, std::uint32_t> stated_registers_;  // by section
};

Cubin open_cubin(const std::string& path);

/// All kernels without code.
std::vector<isa::Kernel> list_kernels(const std::string& path);
/// All kernels with code; throws when one of them cannot be decoded.
std::vector<isa::Kernel> read_cubin(const std::string& path);
std::vector<isa::Kernel> read_cubin(std::vector<std::uint8_t> bytes, const std::string& name);

}  // namespace stc::cubin
