// SPDX-License-Identifier: Apache-2.0
// Models:   how the lanes of one memory instruction become shared-memory wavefronts, and 128-byte lines with sectors.
// Evidence: 32 banks of 4 bytes; 64-bit accesses go in half-warps, 128-bit ones in quarter-warps. A load serves both
//           half-warps, or two quarter-warps of a half-warp, at once where all active lanes i and i ^ 1 of the warp, or
//           all i and i ^ 2, name the same words; a store never does. All 682 patterns of micro_patterns.cu on an H200,
//           counted and timed (measured/h200/shared_counts.csv, shared_patterns.csv). LDSM a matrix at a time.
// Abstracts: nothing of the address pattern.
// Timing:   none here; a wavefront or an idle part takes a cycle of the data stage.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isa/values/execute.h"

namespace stc::sm {

struct LineAccess {
  std::uint64_t line = 0;    ///< address / 128
  std::uint32_t words = 0;   ///< bit per 4-byte word of which a byte is touched
  std::uint8_t sectors = 0;  ///< bit per 32-byte sector
  std::uint8_t packets = 1;  ///< of an atomic: packets of lanes at different addresses
  std::uint8_t flits = 1;    ///< of an atomic: sectors of all its packets
  std::uint8_t headers = 0;  ///< of an atomic: packets of several lanes; a lone lane's operand goes with its header
  std::uint8_t passes = 1;   ///< of an atomic: turns that the flits take at L2
};

/// Bytes of a line: bit w of [b] is byte b of word w.
using LineBytes = std::array<std::uint32_t, 4>;

/// What an atomic does where several lanes meet in a sector.
enum class AtomicKind : std::uint8_t {
  kInteger,
  kFloat,           ///< lanes at one address wait for one another's sum
  kDouble,          ///< as kFloat; a sector takes two turns
  kCompareAndSwap,  ///< two operands a lane: packets of several lanes are twice as long
};

/// Lines beyond `count` are neither written nor copied: most instructions touch a few.
struct LineList {
  LineList() {}  // NOLINT(modernize-use-equals-default): leaves the lines alone
  LineList(const LineList& other) : count(other.count) { std::copy_n(other.lines.begin(), count, lines.begin()); }
  LineList& operator=(const LineList& other) {
    if (this == &other) return *this;
    count = other.count;
    std::copy_n(other.lines.begin(), count, lines.begin());
    return *this;
  }
  int count = 0;  ///< beside the first lines, which are mostly all
  union {
    std::array<LineAccess, 32> lines;  ///< 32 lanes of at most 16 aligned bytes touch at most 32 lines
  };
  int sectors() const;
};

struct Wavefronts {
  int total = 0;
  int conflicts = 0;  ///< those beyond the least that the bytes need
  int parts = 1;      ///< of the warp, served one after the other
  int idle = 0;       ///< of them without lanes: they take the time of a wavefront, but none is counted
};

/// Atomics count as loads, of which nothing is measured but words of 4 bytes.
enum class SharedAccess : std::uint8_t { kLoad, kStore };

Wavefronts shared_wavefronts(const std::uint32_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                             SharedAccess access);
Wavefronts shared_wavefronts(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                             SharedAccess access);
/// LDSM: `matrices` groups of eight lanes, each lane the address of a 16-byte row.
Wavefronts matrix_wavefronts(const std::uint64_t* addresses, int matrices);
/// Lanes that add to the same address are served one after the other.
int atomic_passes(const std::uint64_t* addresses, isa::LaneMask lanes);
/// How many addresses the lanes name.
int distinct_addresses(const std::uint64_t* addresses, isa::LaneMask lanes);

void coalesce(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane, LineList& list);
/// LDGSTS past the L1, 16 bytes a lane `from` global memory `to` shared memory: a request for each pair of a line there
/// and a line here. A sector goes once for each sector of shared memory that takes some of it, and a request holds it
/// once: what goes a second time makes a second request (micro_padded; sectors and requests of rows 64 to 144 bytes
/// apart as an H200 counts them).
void coalesce_copy(const std::uint64_t* from, const std::uint32_t* to, isa::LaneMask lanes, LineList& list);
/// Whole lines, each by eight lanes side by side.
void coalesce_lines(const std::array<std::uint64_t, 4>& lines, LineList& list);
/// Local memory: offsets within the lanes' own; word n of all lanes lies together in line n of the warp's, which begin
/// at `first_line`. Lines beyond the list's room are left out.
void coalesce_local(const std::uint64_t* offsets, isa::LaneMask lanes, int bytes_per_lane, std::uint64_t first_line,
                    LineList& list);
/// Fills in what `list` says of atomics.
void count_packets(const std::uint64_t* addresses, isa::LaneMask lanes, AtomicKind kind, LineList& list);

}  // namespace stc::sm
