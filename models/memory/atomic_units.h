// SPDX-License-Identifier: Apache-2.0
// Models:   the units of an L2 partition that compute atomics, one a slice.
// Evidence: micro_rate_*: all SMs at one word, one line, many.
// Abstracts: the sums themselves, which the functional model computes.
// Timing:   a unit works sector by sector, on lanes at one address one after the other.
#pragma once

#include <vector>

#include "models/core/time_base.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"

namespace stc::memory {

class AtomicUnits {
 public:
  explicit AtomicUnits(const L2Params& params);

  /// Works on the packets of an atomic that arrives now; the request waits for them.
  void work_on(std::uint64_t line, LineRequest& request);
  void reset();

 private:
  const L2Params params_;
  std::vector<Server> units_;
};

}  // namespace stc::memory
