// SPDX-License-Identifier: Apache-2.0
// A kernel's code with the functions of other sections that it can reach, one after the other from program counter 0,
// and where symbols lie then. Follows relocations from the kernel's own text and constant banks, so what only other
// kernels need is not looked at. A kernel that calls through pointers reaches all functions that the module points to:
// whichever kernel, variable or copy by the host it has the pointer from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/code_addresses.h"
#include "traces/cubin/elf_image.h"
#include "traces/cubin/module_variables.h"
#include "traces/cubin/unmodelled.h"

namespace stc::cubin {

/// The N of ".nv.constantN" or ".nv.constantN.NAME", -1 for any other name.
int constant_bank(const std::string& section, const std::string& kernel);

/// One function's text in the linked code.
struct CodePart {
  std::uint32_t section = 0;
  std::uint32_t base = 0;  ///< program counter in the linked code
  std::string function;    ///< symbol
  bool pointed = false;    ///< calls through pointers alone reach it, or functions that they reach
};

/// Sections of functions that calls through pointers might reach, but that cannot run in the kernel, and what they use.
using LeftOut = std::map<std::uint32_t, Unmodelled>;

/// A relocation of an instruction that waits for the code to be decoded.
struct CodePatch {
  std::uint32_t pc = 0;
  std::uint32_t kind = 0;
  std::uint32_t callee = 0;   ///< program counter, of calls
  std::uint64_t address = 0;  ///< of others
};
void relocate(const std::vector<CodePatch>& patches, std::vector<isa::Instruction>& code);

class LinkedCode {
 public:
  /// `kernel` receives the module's variables, externals, address patches and places of code, and the addresses of
  /// functions in its constants and variables.
  LinkedCode(const ElfImage& elf, const CodeAddresses& addresses, const LeftOut& left_out, isa::Kernel& kernel);

  const std::vector<CodePart>& parts() const { return parts_; }
  std::uint32_t bytes() const { return bytes_; }
  const std::vector<CodePatch>& patches() const { return patches_; }
  /// What cannot be linked: for the kernel and what it is sure to call, and in each pointed part by its section.
  const Unmodelled& unmodelled() const { return unmodelled_; }
  const LeftOut& unmodelled_pointed() const { return unmodelled_pointed_; }

 private:
  using Place = std::pair<std::uint32_t, std::uint64_t>;  ///< section, offset in it
  /// What a symbol is an address of.
  struct Target {
    enum class Kind : std::uint8_t { kCode, kDriver, kVariable, kUnknown };
    Kind kind = Kind::kUnknown;
    std::uint32_t holder = 0;  ///< kCode: its section, kDriver: its symbol
    std::uint32_t offset = 0;  ///< kCode: in the section
    std::size_t variable = 0;  ///< kVariable
    std::int64_t addend = 0;   ///< kVariable: bytes from its start
    bool is_code() const { return kind == Kind::kCode || kind == Kind::kDriver; }
  };

  void follow_relocations();
  /// Relocations of bytes [begin, end) of a section.
  std::vector<const Relocation*> relocations_in(std::uint32_t section, std::uint64_t begin, std::uint64_t end) const;
  bool calls_through_pointers(std::uint32_t section) const;
  void add_pointed_functions();
  void add_other_variables();
  void add_places();
  std::uint32_t add_part(std::uint32_t section);
  Target target_of(const Relocation& relocation, std::int64_t addend);
  Target variable(std::uint32_t symbol);
  std::uint32_t external(std::uint32_t symbol);
  std::uint64_t address_of(const Target& target);
  void link_constants();
  void link_code(const CodePart& part);
  void link_call(const CodePart& part, const Relocation& relocation, const Target& target);
  void link_contents(std::size_t variable);
  void link_word(const Relocation& relocation, std::uint64_t in_place, isa::AddressPatch patch);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> calls() const;
  void require_known_callees(std::uint32_t kernel_symbol);
  Unmodelled& unmodelled_of(const CodePart& part);
  void refuse(const CodePart& part, const Relocation& relocation);

  const ElfImage& elf_;
  const CodeAddresses& addresses_;
  const LeftOut& left_out_;
  isa::Kernel& kernel_;
  const std::vector<ListedVariable> listed_variables_;
  bool adds_pointed_ = false;  // what is reached now, pointers alone reach
  bool adds_unused_ = false;   // what is found now, the kernel does not use
  std::vector<CodePart> parts_;
  std::uint32_t bytes_ = 0;
  std::size_t linked_parts_ = 0;     // of parts_
  std::size_t linked_contents_ = 0;  // of kernel.variables
  std::multimap<Place, const Relocation*> relocations_;
  std::map<std::uint32_t, const isa::ModuleVariable*> listed_;  // by symbol
  std::map<Place, std::size_t> variables_;                      // index into kernel.variables
  std::vector<const Symbol*> variable_symbols_;                 // of kernel.variables
  std::map<std::uint32_t, std::size_t> externals_;              // by symbol: index into kernel.externals
  std::vector<CodePatch> patches_;
  Unmodelled unmodelled_;
  LeftOut unmodelled_pointed_;
};

}  // namespace stc::cubin
