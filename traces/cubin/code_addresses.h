// SPDX-License-Identifier: Apache-2.0
// Where function pointers find the functions of a module, whichever of its kernels makes or calls them.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "traces/cubin/elf_image.h"

namespace stc::cubin {

/// Whether a section is code: that of a kernel or of a function.
bool is_text(const Section& section);

/// The sections of code one behind the other, then a place for each symbol: functions that the driver supplies have
/// addresses, too.
class CodeAddresses {
 public:
  /// The module's contents decide where its code lies, so that those of other modules lie elsewhere, and that a launch
  /// which is repeated finds its functions where its data say.
  explicit CodeAddresses(const ElfImage& elf);

  bool overlaps(const CodeAddresses& other) const { return begin_ < other.end() && other.begin_ < end(); }
  /// To the next place behind another module.
  void move_behind(const CodeAddresses& other);

  /// Of the first instruction of a section of code.
  std::uint64_t of_section(std::uint32_t section) const { return begin_ + offsets_.at(section); }
  std::uint64_t of_symbol(std::uint32_t symbol) const;

 private:
  std::uint64_t end() const { return begin_ + bytes_; }

  std::map<std::uint32_t, std::uint64_t> offsets_;  // by section
  std::uint64_t code_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t begin_ = 0;
};

/// Functions whose addresses code, constants or variables of the module hold.
struct PointedFunctions {
  std::set<std::uint32_t> sections;  ///< of functions of the module; kernels are none
  std::set<std::uint32_t> symbols;   ///< of functions that the driver supplies
};
PointedFunctions pointed_functions(const ElfImage& elf);

}  // namespace stc::cubin
