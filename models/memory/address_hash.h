// SPDX-License-Identifier: Apache-2.0
// Models:   how addresses are spread over what there is several times: L2 partitions and slices, sets of a cache, channels
//           and banks of device memory. One function a place, side by side; to try another hash is to change one of
//           them.
// Evidence: which fine grain is measured says each function's parameter (interleave_bytes ...). Of the hardware's hashes
//           side_in_page is known; what is measured of others is that strides spread evenly (measured/h200/traffic.csv,
//           micro_rate_*).
// Abstracts: the hardware's other bits. But for side_in_page's the constants below only keep the hashes independent of one
//           another; no figure of a GPU is in them.
// Timing:   none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/core/divider.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"

namespace stc::memory {

/// Mixes the bits of a number, so that strides spread.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ULL;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 32;
  return x;
}

/// The chunk of `bytes` in which a line begins.
constexpr std::uint64_t chunk_of(std::uint64_t line, int bytes) {
  return line * kLineBytes / static_cast<std::uint64_t>(bytes);
}

/// How lines are spread over the sets of a cache. Hashed: each for itself, by chance. Even: as many consecutive lines
/// as there are sets go to different ones, beginning at a place that is hashed.
enum class Placement : std::uint8_t { kHashed, kEven };
constexpr std::uint64_t set_of(std::uint64_t line, const Divider& sets, Placement placement) {
  return sets.remainder(placement == Placement::kHashed ? mix(line) : line + sets.remainder(mix(sets.quotient(line))));
}

/// The side of L2 on which a chunk of a page of the driver's has its home: the parity of some bits of its number there.
/// Of any two neighbouring chunks one is near (measured/h200/dram_loads.csv, where address bits 12, 13, 15, 17 and 19
/// change the side and 7 to 11, 14, 16, 18 and 20 do not).
constexpr std::uint64_t kPageChunks = 512;
constexpr int side_in_page(std::uint64_t chunk) { return __builtin_parityll(chunk & (kPageChunks - 1) & 0xab); }
/// The side on which a page begins, by chance; of the microbenchmarks' first page the far one, on which atomic_latency
/// rests.
constexpr int side_of_page(std::uint64_t page) { return static_cast<int>(~mix(page) & 1); }
/// The slice of its partition.
constexpr std::size_t slice_of(std::uint64_t line, const Divider& slices) {
  return slices.remainder(mix(line ^ 0x5bd1e995));
}
/// The half of its partition in which its slice lies.
constexpr std::uint64_t half_of(std::uint64_t line) { return mix(line ^ 0x51ed270b) & 1; }
/// The unit that works on its atomics: two of them take turns over four chunks in a row.
inline std::size_t atomic_unit_of(std::uint64_t line, const L2Params& params) {
  const std::uint64_t chunk = chunk_of(line, params.atomic_interleave_bytes);
  return mix((chunk / 4 * 2 + chunk % 2) ^ 0x2545f491) % static_cast<std::uint64_t>(params.atomic_units);
}

/// The channel of device memory.
constexpr std::size_t channel_of(std::uint64_t line, const Divider& channels) {
  return channels.remainder(mix(line * 31 + 7));
}
/// Whether that lies on the other side than the line's slice.
constexpr bool on_far_side(std::uint64_t line) { return (mix(line ^ 0x2545f491) & 1) != 0; }
/// Turns in which the pages of a neighbourhood are refreshed.
constexpr int kTurnsOfNeighbourhood = 2;
/// When a page is refreshed.
class RefreshTimes {
 public:
  explicit RefreshTimes(const HbmParams& params)
      : turns_(static_cast<std::uint64_t>(params.banks)), page_bytes_(static_cast<std::uint64_t>(params.page_bytes)) {}

  /// A turn of so many as there are banks: pages of a neighbourhood share two, a third of them the second one, a half
  /// or a quarter of all turns behind the first; those of every other neighbourhood come an eighth behind those of the
  /// one before (measured/h200/refresh.csv).
  std::uint64_t turn_of(std::uint64_t line) const {
    constexpr int kNeighbourhood = 65536;
    const std::uint64_t neighbourhood = chunk_of(line, kNeighbourhood), pair = mix((neighbourhood / 2) ^ 0x6a09e667);
    const bool second = mix(page_of(line) ^ 0x3c6ef372) % 3 == 0;
    const std::uint64_t behind = second ? turns_.by() / ((pair >> 32 & 1) != 0 ? 2 : 4) : 0;
    return turns_.remainder(pair + neighbourhood % 2 * turns_.by() / 8 + behind);
  }
  /// How far into its turn, in parts of it: pages of a turn are refreshed some 100 cycles apart (h200/refresh.csv).
  static constexpr std::uint64_t kPartsOfTurn = 256;
  std::uint64_t within_turn_of(std::uint64_t line) const { return mix(page_of(line) ^ 0xbb67ae85) % kPartsOfTurn; }
  /// Of all turns.
  std::uint64_t parts() const { return kPartsOfTurn * turns_.by(); }

 private:
  std::uint64_t page_of(std::uint64_t line) const { return page_bytes_.quotient(line * kLineBytes); }

  Divider turns_, page_bytes_;
};

}  // namespace stc::memory
