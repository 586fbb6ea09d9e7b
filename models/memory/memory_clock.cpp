// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_clock.h"

#include <initializer_list>

namespace stc::memory {

MemoryParams in_cycles_of(double ratio, MemoryParams params) {
  CrossbarParams& crossbar = params.crossbar;
  for (double* const rate :
       {&crossbar.read_bytes_per_cycle, &crossbar.write_bytes_per_cycle, &crossbar.gpc_read_bytes_per_cycle,
        &crossbar.partition_link_bytes_per_cycle, &params.l2.slice_bytes_per_cycle, &params.hbm.bytes_per_cycle}) {
    *rate /= ratio;
  }
  for (double* const time : {&params.l2.half_extra_latency, &params.l2.far_extra_latency, &params.l2.atomic_interval,
                             &params.l2.atomic_sum_interval, &params.l2.atomic_sector_interval,
                             &params.l2.lookup_interval, &params.hbm.extra_latency, &params.hbm.far_extra_latency,
                             &params.hbm.refresh_interval, &params.hbm.refresh_cycles}) {
    *time *= ratio;
  }
  params.l2.near_latency -= params.l2.own_clock_latency * (1 - ratio);
  return params;
}

}  // namespace stc::memory
