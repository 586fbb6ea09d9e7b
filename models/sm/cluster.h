// SPDX-License-Identifier: Apache-2.0
// Models:   a thread-block cluster: CTAs that run at the same time and reach each other's shared memory, and the
//           barrier of their warps.
// Evidence: configs/gpus/h200.yaml, sm.cluster.
// Abstracts: several arrivals of a warp before it waits, which CUDA leaves undefined: they are a fault.
// Timing:   the barrier opens in all SMs barrier_latency after the last warp arrived or exited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/isa/state/warp.h"
#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

struct ClusterMessage;
struct LandingLine;

/// An SM as the others of a cluster see it.
class ClusterMember {
 public:
  virtual ~ClusterMember() = default;
  /// Something is on its way here.
  virtual void receive(ClusterMessage message) = 0;
  /// So is a line of another SM's copy to several CTAs.
  virtual void lands(const LandingLine& line) = 0;
  /// The barrier of cluster `number`, to which the CTA in place `slot` belongs, opens at `cycle`.
  virtual void open_barrier(int slot, std::uint32_t number, Cycle cycle) = 0;
};

class Cluster {
 public:
  /// `number`: which cluster of the launch it is. `pair`: it is on the last SMs (ClusterParams).
  Cluster(std::uint32_t number, std::size_t ctas, const ClusterParams& params, bool pair)
      : number_(number),
        memories_(ctas, nullptr),
        members_(ctas),
        load_latency_(pair ? params.pair_load_latency : params.load_latency),
        arrive_latency_(static_cast<Cycle>(pair ? params.pair_arrive_latency : params.arrive_latency)),
        barrier_latency_(opens_after(params, static_cast<int>(ctas))) {}

  /// The CTA of `rank` has its place.
  void join(std::uint32_t rank, ClusterMember& sm, int slot, isa::CtaState& cta, int warps);
  std::uint32_t number() const { return number_; }
  /// What instructions see of the CTAs.
  const isa::CtaCluster& memories() const { return memories_; }
  int load_latency() const { return load_latency_; }
  Cycle arrive_latency() const { return arrive_latency_; }
  int slot_of(std::uint32_t rank) const { return members_[rank].slot; }
  ClusterMember& sm_of(std::uint32_t rank) const { return *members_[rank].sm; }

  /// The arrival of a warp at the barrier is taken at `taken`. Returns which of its phases it arrived for.
  std::uint32_t arrive(Cycle taken);
  /// A warp has exited: nobody waits for it any more. `arrived_for`: the phase that it arrived for and did not wait.
  void warp_exits(Cycle now, std::optional<std::uint32_t> arrived_for);
  /// Its last warp has: the CTA's memory is gone.
  void cta_exits(std::uint32_t rank) { memories_[rank] = nullptr; }

 private:
  struct Member {
    ClusterMember* sm = nullptr;
    int slot = 0;
  };
  static Cycle opens_after(const ClusterParams& params, int ctas) {
    const int further = std::max(0, std::min(ctas, params.barrier_cta_limit) - 2);
    return static_cast<Cycle>(params.barrier_latency + further * params.barrier_cta_cycles);
  }
  void open_if_complete(Cycle now);

  const std::uint32_t number_;
  isa::CtaCluster memories_;
  std::vector<Member> members_;
  const int load_latency_;
  const Cycle arrive_latency_;
  const Cycle barrier_latency_;
  int warps_ = 0;  // that have not exited
  int arrived_ = 0;
  std::uint32_t phase_ = 0;
  Cycle last_ = 0;  // arrival or exit that has been taken
};

}  // namespace stc::sm
