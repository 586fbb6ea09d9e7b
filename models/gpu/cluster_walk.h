// SPDX-License-Identifier: Apache-2.0
// Models:   which SMs the CTAs of the next cluster get: all in one GPC.
// Evidence: measured/h200/clusters.csv: launches of clusters of 1 to 8 CTAs, one to three CTAs on an SM. Of 132 SMs
//           66 hold clusters of two, but 120 hold those of 3, 4 or 8: the last launch.first_sms SMs form pairs of their
//           own.
// Abstracts: the order in which those pairs come when a launch has fewer clusters than pairs, but for one to four.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/gpu/gpu_params.h"

namespace stc::gpu {

/// SMs whose CTAs may form a cluster: each GPC's, and each pair of the last launch.first_sms SMs.
struct ClusterGroup {
  std::vector<int> sms;
  std::size_t most_ctas = 0;  ///< of a cluster; 0: no limit
  /// Clusters of `ctas` CTAs that fit when every SM has room for `ctas_per_sm`.
  std::uint64_t holds(std::uint64_t ctas, std::uint64_t ctas_per_sm) const;
};
std::vector<ClusterGroup> cluster_groups(const GpuParams& params);

class ClusterWalk {
 public:
  using FreeSlots = std::function<int(int sm)>;
  explicit ClusterWalk(const GpuParams& params) : groups_(cluster_groups(params)) {}

  /// A launch of so many clusters begins.
  void reset(std::uint64_t clusters);
  /// SMs for the CTAs of a cluster, by rank; empty when no group has room. Groups take turns, SMs with most room go
  /// first: no SM gets a second CTA while a group has a cluster's CTAs to place one by one.
  std::vector<int> place(std::size_t ctas, const FreeSlots& free);

 private:
  const std::vector<ClusterGroup> groups_;
  std::vector<std::size_t> order_;  // of the groups in a round
  std::size_t next_ = 0;
};

}  // namespace stc::gpu
