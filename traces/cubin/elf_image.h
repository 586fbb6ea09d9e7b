// SPDX-License-Identifier: Apache-2.0
// The ELF side of a cubin: sections, symbols and relocations, checked against the file's size while reading, so that
// nothing behind this class can run past the end of a truncated or garbled file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::cubin {

struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t size = 0;              ///< bytes in memory
  bool in_file = true;                 ///< false for sections without contents (shared memory, zeroed variables)
  const std::uint8_t* data = nullptr;  ///< `size` bytes, nullptr unless in_file
};

struct Symbol {
  std::string name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint8_t type = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  bool is_function() const { return type == 2; }  ///< STT_FUNC
};

/// One entry of .rel.X or .rela.X; `section` is X.
struct Relocation {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
  bool addend_in_place = false;  ///< of .rel.X: the relocated bytes hold it
};

class ElfImage {
 public:
  /// Takes the file's bytes. Throws CubinError naming `file` when they are no readable CUDA ELF.
  ElfImage(std::vector<std::uint8_t> bytes, std::string file);

  const std::string& file() const { return file_; }
  int sm_version() const { return sm_version_; }
  /// Compiled with -rdc=true and not linked yet.
  bool relocatable() const { return relocatable_; }
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<Relocation>& relocations() const { return relocations_; }
  /// The section of that name, or nullptr.
  const Section* find(const std::string& name) const;

  /// Throws CubinError: "FILE: PLACE: REASON".
  [[noreturn]] void fail(const std::string& place, const std::string& reason) const;

 private:
  void read_headers();
  void read_sections(void* elf);
  void read_symbols();
  void read_relocations(std::size_t index, bool with_addend);
  std::string text_at(const Section& strings, std::uint64_t offset, const std::string& place) const;

  std::vector<std::uint8_t> bytes_;
  std::string file_;
  int sm_version_ = 0;
  bool relocatable_ = false;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<Relocation> relocations_;
};

}  // namespace stc::cubin
