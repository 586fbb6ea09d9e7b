// SPDX-License-Identifier: Apache-2.0
// Models:   the units of L2 that compute atomics.
// Evidence: micro_rate_*: all SMs at one word, one line, many; measured/h200/atomic_units.csv: which lines share a unit.
// Abstracts: the sums themselves, which the functional model computes.
// Timing:   a unit works sector by sector, on lanes at one address one after the other.
#pragma once

#include <vector>

#include "models/core/time_base.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/packed_places.h"

namespace stc::memory {

class AtomicUnits {
 public:
  explicit AtomicUnits(const L2Params& params);

  /// Works on the packets of an atomic that arrives now; the request waits for them.
  void work_on(std::uint64_t line, LineRequest& request);
  /// `values`: whose buffers the next launch has; null: none.
  void reset(const isa::GlobalMemory* values, const L2Params& params);

 private:
  double cycles_of(const LineRequest& request, bool at_same_line) const;

  L2Params params_;
  PackedPlaces places_;
  struct Unit {
    Server server{1.0};
    std::uint64_t line = ~std::uint64_t{0};  // that it worked on last
  };
  std::vector<Unit> units_;
};

}  // namespace stc::memory
