// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/cluster_walk.h"

#include <algorithm>
#include <numeric>

#include "models/gpu/sm_layout.h"

namespace stc::gpu {
namespace {

/// Of the SMs that have more than `keep` slots free, those that `ctas` CTAs get, in the order of the SMs; empty when
/// they are too few.
std::vector<int> choose(const std::vector<int>& sms, std::size_t ctas, int keep, const ClusterWalk::FreeSlots& free) {
  std::vector<int> left, places;
  for (const int sm : sms) left.push_back(free(sm));
  while (places.size() < ctas) {
    const auto most = std::max_element(left.begin(), left.end());
    if (*most <= keep) return {};
    --*most;
    places.push_back(static_cast<int>(most - left.begin()));
  }
  std::sort(places.begin(), places.end());
  std::vector<int> chosen;
  chosen.reserve(places.size());
  for (const int place : places) chosen.push_back(sms[static_cast<std::size_t>(place)]);
  return chosen;
}

}  // namespace

std::vector<ClusterGroup> cluster_groups(const GpuParams& params) {
  std::vector<ClusterGroup> groups;
  const int first = std::min(params.launch.first_sms, params.sms), others = params.sms - first;
  for (int sm = others; sm < params.sms; sm += params.tpc_sms) {
    groups.push_back({{}, static_cast<std::size_t>(params.tpc_sms)});
    for (int i = sm; i < std::min(sm + params.tpc_sms, params.sms); ++i) groups.back().sms.push_back(i);
  }
  const std::vector<int> gpcs = gpc_of_sms(params);
  for (int gpc = 0; gpc < params.gpcs; ++gpc) {
    ClusterGroup group;
    for (int sm = 0; sm < others; ++sm) {
      if (gpcs[static_cast<std::size_t>(sm)] == gpc) group.sms.push_back(sm);
    }
    if (!group.sms.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::uint64_t ClusterGroup::holds(std::uint64_t ctas, std::uint64_t ctas_per_sm) const {
  return most_ctas != 0 && ctas > most_ctas ? 0 : sms.size() * ctas_per_sm / ctas;
}

void ClusterWalk::reset(std::uint64_t clusters) {
  next_ = 0;
  order_.resize(groups_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::size_t pairs = 0;
  while (pairs < groups_.size() && groups_[pairs].most_ctas != 0) ++pairs;
  // Of the pairs that are used the first comes last.
  const auto used = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(pairs, clusters));
  if (used > 1) std::rotate(order_.begin(), order_.begin() + 1, order_.begin() + used);
}

std::vector<int> ClusterWalk::place(std::size_t ctas, const FreeSlots& free) {
  int most = 0;
  for (const ClusterGroup& group : groups_) {
    for (const int sm : group.sms) most = std::max(most, free(sm));
  }
  for (int keep = most - 1; keep >= 0; --keep) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::size_t turn = (next_ + i) % order_.size();
      const ClusterGroup& group = groups_[order_[turn]];
      if (group.most_ctas != 0 && ctas > group.most_ctas) continue;
      std::vector<int> sms = choose(group.sms, ctas, keep, free);
      if (sms.empty()) continue;
      next_ = turn + 1;
      return sms;
    }
  }
  return {};
}

}  // namespace stc::gpu
