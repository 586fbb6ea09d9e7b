// SPDX-License-Identifier: Apache-2.0
// A kernel's code with the functions of other sections that it can reach, one after the other from address 0, and
// where symbols lie then. Follows relocations from the kernel's own text and constant banks, so what only other
// kernels need is not looked at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/elf_image.h"
#include "traces/cubin/unmodelled.h"

namespace stc::cubin {

/// The N of ".nv.constantN" or ".nv.constantN.NAME", -1 for any other name.
int constant_bank(const std::string& section, const std::string& kernel);

/// One function's text in the linked code.
struct CodePart {
  std::uint32_t section = 0;
  std::uint32_t base = 0;  ///< address in the linked code
  std::string function;    ///< symbol
};

class LinkedCode {
 public:
  /// `kernel` receives variables, externals and address patches, and the addresses of functions in its constants.
  LinkedCode(const ElfImage& elf, isa::Kernel& kernel);

  const std::vector<CodePart>& parts() const { return parts_; }
  std::uint32_t bytes() const { return bytes_; }
  /// Applies the relocations of the code to the decoded instructions.
  void relocate(std::vector<isa::Instruction>& code) const;
  /// What cannot be linked.
  const Unmodelled& unmodelled() const { return unmodelled_; }

 private:
  using Place = std::pair<std::uint32_t, std::uint64_t>;  ///< section, offset in it
  /// What a symbol is an address of.
  struct Target {
    enum class Kind : std::uint8_t { kCode, kVariable, kUnknown };
    Kind kind = Kind::kUnknown;
    std::uint32_t pc = 0;      ///< kCode
    std::size_t variable = 0;  ///< kVariable
    std::int64_t addend = 0;   ///< kVariable: bytes from its start
  };
  /// A relocation of an instruction that waits for the code to be decoded.
  struct CodePatch {
    std::uint32_t address = 0;
    std::uint32_t kind = 0;
    std::uint32_t pc = 0;
  };

  void follow_relocations();
  /// Relocations of bytes [begin, end) of a section.
  std::vector<const Relocation*> relocations_in(std::uint32_t section, std::uint64_t begin, std::uint64_t end) const;
  std::uint32_t add_part(std::uint32_t section);
  Target target_of(const Relocation& relocation, std::int64_t addend);
  Target external(const std::string& name);
  Target variable(const Symbol& symbol);
  void link_constants();
  void link_code(const CodePart& part);
  void link_contents(std::size_t variable);
  void link_word(const Relocation& relocation, std::uint64_t in_place, isa::AddressPatch patch);
  void require_known_callees(std::uint32_t kernel_symbol);
  void refuse(const Relocation& relocation);

  const ElfImage& elf_;
  isa::Kernel& kernel_;
  std::vector<CodePart> parts_;
  std::uint32_t bytes_ = 0;
  std::multimap<Place, const Relocation*> relocations_;
  std::map<Place, std::size_t> variables_;        // index into kernel.variables
  std::vector<const Symbol*> variable_symbols_;   // of kernel.variables
  std::map<std::string, std::size_t> externals_;  // index into kernel.externals
  std::vector<CodePatch> patches_;
  Unmodelled unmodelled_;
};

}  // namespace stc::cubin
