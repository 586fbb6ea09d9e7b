// SPDX-License-Identifier: Apache-2.0
// Models:   which SM lies in which GPC, and in which order the work distributor visits SMs.
// Evidence: measured/h200/ctas.csv: SMs of one GPC share a clock; launches of 1 to 390 CTAs show who gets one.
// Abstracts: which GPCs of a part have SMs less than others: all parts of a product are laid out alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/gpu/gpu_params.h"

namespace stc::gpu {

/// TPCs are dealt out over the GPCs that still have room; the last GPCs get what fits nowhere. The last
/// launch.first_sms SMs lie in GPC 0.
std::vector<int> gpc_of_sms(const GpuParams& params);

/// The L2 partition that each SM is attached to: that of its GPC.
std::vector<int> partition_of_sms(const GpuParams& params);

/// Which SMs get a CTA each when there are some to give away.
class SmWalk {
 public:
  explicit SmWalk(const GpuParams& params);

  /// The first `ctas` of all SMs for which `free` says so, in the order in which CTAs are counted. Chosen are the last
  /// launch.first_sms; then of the other TPCs the first SM each, GPC after GPC in turn, and then the second. (Of the
  /// first group, too, first SMs come before second ones.) Counted is SM after SM of the first group, then GPC by GPC.
  template <class Free>
  std::vector<int> round(std::uint64_t ctas, Free free) const {
    std::vector<int> sms;
    for (const int sm : walk_) {
      if (sms.size() < ctas && free(sm)) sms.push_back(sm);
    }
    std::sort(sms.begin(), sms.end(), [this](int a, int b) {
      return place_[static_cast<std::size_t>(a)] < place_[static_cast<std::size_t>(b)];
    });
    return sms;
  }

 private:
  std::vector<int> walk_;   // SMs in the order in which they are chosen
  std::vector<int> place_;  // of an SM in the order in which CTAs are counted
};

}  // namespace stc::gpu
