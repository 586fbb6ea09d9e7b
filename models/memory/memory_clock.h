// SPDX-License-Identifier: Apache-2.0
// Models:   the clocks of L2, of the network before it and of device memory, which stay as they are when that of the
//           SMs falls: what passes there takes fewer SM cycles then.
// Evidence: measured/h200/matrix_clock.csv: while matrix instructions run on all SMs, which then count 10 cycles where they
//           counted 11, L2 and device memory give 7 to 10 % more bytes for each, loads from L2 take 10 cycles less and
//           from device memory 46.
// Abstracts: the time until a clock has fallen (below a microsecond); clocks under power limits. A kernel that has matrix
//           instructions counts as one that runs them; DMMA, beside which nothing was measured, lowers no clock.
#pragma once

#include "models/memory/memory_params.h"

namespace stc::memory {

/// `params`, which count cycles of the full SM clock, in cycles of one that is `ratio` of it (above 0, at most 1).
MemoryParams in_cycles_of(double ratio, MemoryParams params);

}  // namespace stc::memory
