// SPDX-License-Identifier: Apache-2.0
// Models:   the L2 partition in which a line has its home.
// Evidence: measured/h200/dram_loads.csv: the side within a page; measured/h200/sides.csv: small buffers, which a process
//           gets from one page, begin on the same side in all processes of a session.
// Abstracts: physical pages: on which side one begins differs from session to session and is left to chance; small buffers
//           begin on the far side of the first CTA, as in the session of sides.csv.
// Timing:   none.
#pragma once

#include <cstdint>

#include "models/core/divider.h"
#include "models/memory/address_hash.h"
#include "models/memory/packed_places.h"

namespace stc::memory {

class HomePartition {
 public:
  explicit HomePartition(const L2Params& params) : interleave_(static_cast<std::uint64_t>(params.interleave_bytes)) {}
  /// `values`: whose buffers the next launch has; null: none.
  void lay_out(const isa::GlobalMemory* values) { places_.lay_out(values); }

  int of(std::uint64_t line) const {
    const std::uint64_t place = places_.of(line), chunk = interleave_.quotient(place * kLineBytes);
    const int begins = place != line ? kSmallBuffersBegin : side_of_page(chunk / kPageChunks);
    return side_in_page(chunk) ^ begins;
  }

 private:
  static constexpr int kSmallBuffersBegin = 1;

  Divider interleave_;
  PackedPlaces places_;
};

}  // namespace stc::memory
