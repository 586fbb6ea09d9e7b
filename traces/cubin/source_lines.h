// SPDX-License-Identifier: Apache-2.0
// Source lines of a kernel's instructions, from the line table that nvcc -lineinfo (or -G) leaves in a cubin
// (.debug_line, DWARF 2 to 4 with NVIDIA's operations for inlined calls; the lines of the PTX between are not read).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stc::cubin {

struct SourceLine {
  std::string file;        ///< as the compiler wrote it; empty: not known
  std::uint32_t line = 0;  ///< from 1
  /// Of an inlined function: where it was called, outermost last.
  std::vector<std::pair<std::string, std::uint32_t>> called_from;

  bool operator==(const SourceLine& other) const {
    return file == other.file && line == other.line && called_from == other.called_from;
  }
};

class SourceLines {
 public:
  SourceLines() = default;
  explicit SourceLines(std::map<std::uint32_t, SourceLine> rows) : rows_(std::move(rows)) {}
  bool empty() const { return rows_.empty(); }
  /// Of the instruction at an address of the linked code.
  SourceLine at(std::uint32_t address) const;

 private:
  std::map<std::uint32_t, SourceLine> rows_;  ///< each from its address on; no file: not known
};

}  // namespace stc::cubin
