// SPDX-License-Identifier: Apache-2.0
// Models:   where the driver puts small buffers: one right behind the other. Simulated buffers lie 2 MiB apart, so that a
//           run past an end is caught; who cares which of them share a unit of L2 asks here.
// Evidence: measured/h200/atomic_units.csv, rows `buffer`: cudaMalloc of 4 to 16384 bytes, each at the next multiple of
//           512 bytes behind the last.
// Abstracts: memory that was freed before; the order in which buffers were made is that of their addresses.
// Timing:   none.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::isa {
class GlobalMemory;
}  // namespace stc::isa

namespace stc::memory {

class PackedPlaces {
 public:
  /// Null: no buffers.
  void lay_out(const isa::GlobalMemory* values);
  /// The line that has this one's place; its own outside of small buffers.
  std::uint64_t of(std::uint64_t line) const { return line < first_ || line >= end_ ? line : search(line); }

 private:
  std::uint64_t search(std::uint64_t line) const;

  struct Buffer {
    std::uint64_t first = 0, end = 0, place = 0;  // lines
  };
  std::vector<Buffer> buffers_;        // small ones, ascending
  std::uint64_t first_ = 0, end_ = 0;  // of all of them
};

}  // namespace stc::memory
