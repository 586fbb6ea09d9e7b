// SPDX-License-Identifier: Apache-2.0
// A module that a program loaded: its kernels, decoded when they are first launched, and its variables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "sim/exec/fat_binary.h"
#include "sim/exec/program_memory.h"
#include "traces/cubin/cubin.h"

namespace stc::sim {

class ProgramModule {
 public:
  static constexpr char kConstantBank[] = "constant bank 3";  ///< what isa::place_variables calls it

  /// ImageError when the image is no cubin.
  ProgramModule(int number, const ChosenImage& image);

  int number() const { return number_; }
  int image_version() const { return image_version_; }
  const std::string& hash() const { return hash_; }
  const std::vector<std::uint8_t>& cubin() const { return image_; }
  /// Where function pointers find the module's code; it is moved before any kernel is looked at.
  const cubin::CodeAddresses& addresses() const { return cubin_.addresses(); }
  void move_code_behind(const ProgramModule& other) { cubin_.move_code_behind(other.addresses()); }
  std::vector<isa::ModuleVariable> variables() const { return cubin_.variables(); }
  cubin::SourceLines source_lines(const std::string& symbol) const { return cubin_.source_lines(symbol); }
  /// What a kernel takes of an SM; nullptr when the module has no such kernel.
  const isa::Kernel* resources(const std::string& symbol);
  /// The kernel with its code, its variables placed in `memory`, which was lent for this module. They keep what the
  /// program has made of them. CubinError when it uses what is not modelled.
  isa::Kernel placed(const std::string& symbol, isa::GlobalMemory& memory);
  /// The variables of that kernel get their places now, as its launch would give them.
  void place(const std::string& symbol, ProgramMemory& home);
  /// Returns what placed() has added to the lent memory.
  void take_back(const isa::Kernel& kernel, ProgramMemory& home, isa::GlobalMemory& memory) const;

  struct Place {
    std::uint64_t address = 0, bytes = 0;
  };
  /// Where a variable is, which gets its place now if it has none. Address 0: there is no such variable.
  Place find_variable(const std::string& symbol, ProgramMemory& home);

 private:
  const isa::Kernel& decoded(const std::string& symbol);
  isa::Kernel kernel_that_has(const std::string& variable);

  const int number_;
  const int image_version_;
  const std::string hash_;
  const std::vector<std::uint8_t> image_;
  cubin::Cubin cubin_;
  std::map<std::string, isa::Kernel> decoded_;
};

}  // namespace stc::sim
