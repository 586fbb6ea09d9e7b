// SPDX-License-Identifier: Apache-2.0
// Models:   how addresses are spread over what there is several times: L2 partitions and slices, sets of a cache, channels
//           and banks of device memory. One function a place, side by side; to try another hash is to change one of
//           them.
// Evidence: which fine grain is measured says each function's parameter (interleave_bytes ...). The hardware's hashes are
//           not known; what is measured is that strides spread evenly (measured/h200/traffic.csv, micro_rate_*).
// Abstracts: the hardware's bits. The constants below only keep the hashes independent of one another; no figure of a GPU
//           is in them.
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

/// The L2 partition in which a line has its home.
class HomePartition {
 public:
  explicit HomePartition(const L2Params& params)
      : interleave_(static_cast<std::uint64_t>(params.interleave_bytes)),
        partitions_(static_cast<std::uint64_t>(params.partitions)) {}
  int of(std::uint64_t line) const {
    return static_cast<int>(partitions_.remainder(mix(interleave_.quotient(line * kLineBytes))));
  }

 private:
  Divider interleave_, partitions_;
};
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
/// The bank of the channel.
inline std::uint64_t bank_of(std::uint64_t line, const HbmParams& params) {
  return mix(chunk_of(line, params.page_bytes) ^ 0x6a09e667) % static_cast<std::uint64_t>(params.banks);
}

}  // namespace stc::memory
