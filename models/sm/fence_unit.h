// SPDX-License-Identifier: Apache-2.0
// Models:   MEMBAR: what a warp has stored is to be seen by its CTA, the GPU or everybody before it goes on.
// Evidence: configs/gpus/*.yaml, sm.issue.fence_*; measured/h200/fences.csv, fences_behind.csv and
//           fence_ends.csv.
// Abstracts: whom a fence asks; it waits until the SM's stores have left, and then a time of its scope; beyond its CTA
//           also until all that the SM's warps have stored is acknowledged.
// Timing:   fences of an SM begin one after the other.
#pragma once

#include <algorithm>

#include "models/isa/instruction.h"
#include "models/sm/sm_params.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

class FenceUnit {
 public:
  explicit FenceUnit(const IssueParams& params) : params_(params) {}
  void reset() { free_ = 0; }

  /// `warp` has issued a fence at `now`; stores of the SM have left at `stores_left`; that they have been made is
  /// known to it at `acknowledged`.
  void fence(WarpContext& warp, const isa::Instruction& instruction, Cycle now, Cycle stores_left, Cycle acknowledged) {
    enum Scope : unsigned { kGpu = 2, kSystem = 3 };
    const unsigned scope = instruction.mod.variant & 15u;
    const Cycle begin = std::max({now, free_, stores_left});
    free_ = begin + static_cast<Cycle>(scope < kGpu ? params_.fence_cta_interval : params_.fence_interval);
    int latency = 0;
    if (scope == kGpu) latency = warp.reached_memory ? params_.fence_memory_latency : params_.fence_latency;
    if (scope >= kSystem) latency = params_.fence_system_latency;
    warp.stall_until = std::max(warp.stall_until, begin + static_cast<Cycle>(latency));
    if (scope < kGpu) return;
    warp.stall_until = std::max(warp.stall_until, acknowledged);
    warp.reached_memory = false;
  }

 private:
  const IssueParams params_;
  Cycle free_ = 0;
};

}  // namespace stc::sm
