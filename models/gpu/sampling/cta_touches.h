// SPDX-License-Identifier: Apache-2.0
// The lines that a CTA touches from its first instruction to its last, found by walking it; its loop's even part is
// walked for one period, and for the others the lines are as many further as find_loop() saw.
#pragma once

#include <optional>
#include <vector>

#include "models/gpu/sampling/address_slice.h"
#include "models/gpu/sampling/cta_walk.h"
#include "models/gpu/sampling/kernel_loop.h"
#include "models/gpu/sampling/line_touches.h"

namespace stc::gpu {

struct CtaTouches {
  std::vector<LineTouch> before;  ///< the even part of the loop
  std::vector<LineTouch> period;  ///< the first of it; LineTouch::step says how it goes on
  std::vector<LineTouch> after;

  void add(const CtaTouches& other);
  void merge();
};

/// Of CTA `cta`, whose SM is attached to the L2 partitions `partitions` (bits). Without a loop all is in `before`.
CtaTouches touches_of(CtaWalk& walk, const AddressSlice& slice, std::uint64_t cta,
                      const std::optional<KernelLoop>& loop, std::uint8_t partitions);

}  // namespace stc::gpu
