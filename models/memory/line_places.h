// SPDX-License-Identifier: Apache-2.0
// Models:   where lines lie in L2: partition, half of its slices, slice, set of its cache.
// Evidence: address_hash.h, home_partition.h.
// Abstracts: see there.
// Timing:   none. Of a request an SM works it out when it sends it, at the same time as other SMs; whoever serves all of
//           them need not.
#pragma once

#include <cstdint>

#include "models/core/divider.h"
#include "models/memory/home_partition.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/sector_cache.h"

namespace stc::memory {

class LinePlaces {
 public:
  explicit LinePlaces(const L2Params& params)
      : home_(params),
        slices_(static_cast<std::uint64_t>(params.slices_per_partition)),
        sets_(SectorCache::sets_of(bytes_of_partition(params), params.ways)) {}
  /// `values`: whose buffers the next launch has; null: none.
  void lay_out(const isa::GlobalMemory* values) { home_.lay_out(values); }

  int home(std::uint64_t line) const { return home_.of(line); }
  std::size_t slice(std::uint64_t line) const { return static_cast<std::size_t>(slice_of(line, slices_)); }
  LinePlace of(std::uint64_t line) const {
    LinePlace place;
    place.set = static_cast<std::uint32_t>(set_of(line, sets_, kPlacement));
    place.slice = static_cast<std::uint16_t>(slice_of(line, slices_));
    place.home = static_cast<std::uint8_t>(home_.of(line));
    place.half = static_cast<std::uint8_t>(half_of(line));
    return place;
  }
  /// The tags of a partition, empty.
  static SectorCache cache_of_partition(const L2Params& params) {
    return {bytes_of_partition(params), params.ways, kPlacement};
  }

 private:
  static constexpr Placement kPlacement = Placement::kEven;
  static std::uint64_t bytes_of_partition(const L2Params& params) {
    return static_cast<std::uint64_t>(params.capacity_mib * 1024 * 1024 / params.partitions);
  }

  HomePartition home_;
  Divider slices_, sets_;
};

}  // namespace stc::memory
