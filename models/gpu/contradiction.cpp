// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/contradiction.h"

#include <fmt/format.h>

namespace stc::gpu {

std::optional<Contradiction> find_contradiction(const GpuParams& gpu) {
  const int units = gpu.sm.tensor_core.dot_product_units;
  if (!tensor_core::form_a_tile(units)) {
    return Contradiction{"sm.tensor_core.dot_product_units",
                         fmt::format("is {}, but must be a power of two from 1 to 128: together the units compute a "
                                     "rectangle of D",
                                     units)};
  }
  const memory::L2Params& l2 = gpu.memory.l2;
  if (l2.own_clock_latency > l2.near_latency) {
    return Contradiction{"memory.l2.own_clock_latency",
                         fmt::format("is {}, but must be at most memory.l2.near_latency, {}, of which it is a part",
                                     l2.own_clock_latency, l2.near_latency)};
  }
  const memory::HbmParams& hbm = gpu.memory.hbm;
  if (hbm.refresh_cycles >= hbm.refresh_interval) {
    return Contradiction{"memory.hbm.refresh_cycles",
                         fmt::format("is {}, but must be less than memory.hbm.refresh_interval, {}: a bank that is "
                                     "always refreshed serves no read",
                                     hbm.refresh_cycles, hbm.refresh_interval)};
  }
  if (gpu.energy.limit_watts <= gpu.energy.constant_watts) {
    return Contradiction{
        "energy.limit_watts",
        fmt::format("is {}, but must be more than energy.constant_watts, {}: nothing is left for kernels",
                    gpu.energy.limit_watts, gpu.energy.constant_watts)};
  }
  return std::nullopt;
}

}  // namespace stc::gpu
