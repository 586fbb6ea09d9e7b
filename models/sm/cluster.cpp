// SPDX-License-Identifier: Apache-2.0
#include "models/sm/cluster.h"

namespace stc::sm {

void Cluster::join(std::uint32_t rank, ClusterMember& sm, int slot, isa::CtaState& cta, int warps) {
  members_[rank] = {&sm, slot};
  memories_[rank] = &cta;
  warps_ += warps;
}

std::uint32_t Cluster::arrive(Cycle taken) {
  const std::uint32_t phase = phase_;
  ++arrived_;
  open_if_complete(taken);
  return phase;
}

void Cluster::warp_exits(Cycle now, std::optional<std::uint32_t> arrived_for) {
  --warps_;
  if (arrived_for == phase_) --arrived_;
  open_if_complete(now);
}

void Cluster::open_if_complete(Cycle now) {
  last_ = std::max(last_, now);
  if (arrived_ == 0 || arrived_ < warps_) return;
  arrived_ = 0;
  ++phase_;
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    if (memories_[rank] == nullptr) continue;
    members_[rank].sm->open_barrier(members_[rank].slot, number_, last_ + barrier_latency_);
  }
}

}  // namespace stc::sm
