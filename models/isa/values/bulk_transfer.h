// SPDX-License-Identifier: Apache-2.0
// What a bulk copy moves, as the timing model must know it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/core/data_role.h"
#include "models/isa/state/mbarrier.h"

namespace stc::isa {

struct BulkTransfer {
  enum class Kind : std::uint8_t {
    kLoad,      ///< from global to shared memory; `arrivals` are made when all is there
    kStore,     ///< from shared to global memory
    kPrefetch,  ///< to the L2
    kMap,       ///< nothing but the tensor map at `map`
    kNoMap,     ///< the tensor map at `map` may have changed
    kToCluster  ///< from a CTA to shared memory of its cluster; `arrivals` are made when all is there
  };
  /// Lines of zeros in L2, which rows outside of the tensor take in turn; four rows of a turn share a request. No
  /// buffer lies there nor before, and each is in a slice of its own.
  static constexpr std::uint64_t kFirstZeroLine = 24, kZeroLines = 8, kRowsOfZeros = 4;
  /// Sectors of a line of global memory, in the order in which the unit comes to them.
  struct Line {
    std::uint64_t line = 0;    ///< address / 128
    std::uint8_t sectors = 0;  ///< bit per 32 bytes
    std::uint8_t rows = 1;     ///< of shared memory that it comes to; 0: nothing, another's answer fills this one

    bool of_zeros() const { return line < kFirstZeroLine + kZeroLines; }
  };

  Kind kind = Kind::kLoad;
  DataRole role = DataRole::kOther;
  bool whole_lines = false;  ///< what misses in the L2 brings its whole line
  std::uint32_t bytes = 0;   ///< of shared memory
  std::uint64_t map = 0;     ///< address of the tensor map that it goes by, 0: none
  std::vector<Line> lines;
  std::vector<RemoteArrival> arrivals;  ///< those at the CTA's own mbarrier too
  std::size_t zeros = 0;                ///< lines of rows outside of the tensor

  void clear() {
    role = DataRole::kOther;  // of what lies in no buffer
    zeros = 0;
    whole_lines = false;
    bytes = 0;
    map = 0;
    lines.clear();
    arrivals.clear();
  }
  /// `bytes` (not 0) of global memory from `address` on.
  void touch(std::uint64_t address, std::uint64_t bytes_there) {
    constexpr std::uint64_t kSector = 32, kPerLine = 4;
    for (std::uint64_t s = address / kSector; s <= (address + bytes_there - 1) / kSector; ++s) {
      if (lines.empty() || lines.back().line != s / kPerLine) lines.push_back({s / kPerLine, 0});
      lines.back().sectors = static_cast<std::uint8_t>(lines.back().sectors | 1u << (s % kPerLine));
    }
  }
  /// `bytes_there` (not 0) of a line of a row that lie outside of the tensor: what an H200 asks L2 for instead
  /// (measured/h200/copies_outside.csv).
  void touch_outside(std::uint32_t bytes_there) {
    constexpr std::uint32_t kSector = 32;
    const std::size_t turn = zeros / kZeroLines % kRowsOfZeros;
    const auto sectors = static_cast<std::uint8_t>((1u << ((bytes_there + kSector - 1) / kSector)) - 1);
    if (turn == 0) zero_lines_[zeros % kZeroLines] = lines.size();
    lines.push_back({kFirstZeroLine + zeros % kZeroLines, sectors, turn == 0 ? std::uint8_t{1} : std::uint8_t{0}});
    if (turn != 0) ++lines[zero_lines_[zeros % kZeroLines]].rows;
    ++zeros;
  }

 private:
  std::array<std::size_t, kZeroLines> zero_lines_{};  // that the latest rows ask for, in `lines`
};

}  // namespace stc::isa
