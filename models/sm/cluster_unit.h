// SPDX-License-Identifier: Apache-2.0
// Models:   an SM's part in thread-block clusters: messages to and from the other SMs, arrivals at the cluster's
//           barrier.
// Evidence: configs/gpus/h200.yaml, sm.cluster.
// Abstracts: how messages are encoded; see cluster_network.h for their packets.
// Timing:   a message takes half of a load's latency each way, an arrival at another CTA's mbarrier arrive_latency, that
//           of a multicast copy the time of TMA's (sm.bulk.multicast_latency); arrivals at the cluster's barrier go one
//           after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/isa/values/execute.h"
#include "models/sm/cluster_network.h"
#include "models/sm/cta_slots.h"
#include "models/sm/event_queue.h"
#include "models/sm/landing_port.h"
#include "models/sm/lsu.h"

namespace stc::sm {

class ClusterUnit : public ClusterMember {
 public:
  /// `wake`: the SM is to run at that cycle; `lands`: another SM's copy brings a line.
  ClusterUnit(int sm, const SmParams& params, EventQueue& events, Lsu& lsu, CtaSlots& ctas,
              std::function<void(Cycle)> wake, std::function<void(const LandingLine&)> lands)
      : sm_(sm),
        params_(params.cluster),
        lsu_latency_(params.lsu.queue_latency),
        events_(events),
        lsu_(lsu),
        ctas_(ctas),
        wake_(std::move(wake)),
        lands_(std::move(lands)) {}
  void begin_launch(const isa::Kernel* kernel);

  // From other SMs.
  void receive(ClusterMessage message) override;
  void lands(const LandingLine& line) override { lands_(line); }
  void open_barrier(int slot, std::uint32_t number, Cycle cycle) override;
  Cycle next() const { return state_.inbox.next(); }
  /// Handles what has arrived until `now`. Returns whether an mbarrier has been arrived at.
  bool tick(Cycle now) { return state_.inbox.due(now) && handle_all(now); }
  /// Whether arrivals at mbarriers are on their way here.
  bool arrivals_under_way() const { return state_.arrivals != 0; }

  // From this SM.
  /// The LSU sends `part` of an instruction to another CTA at `cycle`; the reply comes back with `token`.
  void send(const MemoryInstruction& instruction, const RemotePart& part, std::uint32_t token, Cycle cycle);
  /// Arrivals at mbarriers of other CTAs by a warp of `slot`.
  void send(const CtaSlot& slot, const std::vector<isa::RemoteArrival>& arrivals, Cycle now) {
    send(slot, arrivals, now, slot.cluster->arrive_latency());
  }
  /// Those that count `latency` (not 0) later.
  void send(const CtaSlot& slot, const std::vector<isa::RemoteArrival>& arrivals, Cycle now, Cycle latency);
  /// A line of this SM's copy comes to all CTAs that `arrivals` name.
  void share(const CtaSlot& slot, const std::vector<isa::RemoteArrival>& arrivals, const LandingLine& line);
  /// `warp` arrives at the cluster's barrier, or has waited for it. Returns what is wrong with that, nullptr if
  /// nothing.
  const char* at_barrier(WarpContext& warp, isa::ClusterBarrier does, Cycle now);

 private:
  struct State {
    ClusterInbox inbox;
    int arrivals = 0;            // in it
    std::uint64_t messages = 0;  // sent
    Cycle arrival_free = 0;      // when the next arrival at a cluster's barrier can be taken
  };

  bool handle_all(Cycle now);
  void handle(const ClusterMessage& message, Cycle now);
  void handle_arrival(const ClusterMessage& message, Cycle now);
  ClusterMessage message(const std::shared_ptr<Cluster>& cluster, Cycle cycle);
  Cycle half_way(const Cluster& cluster) const;

  const int sm_;
  const ClusterParams params_;
  const int lsu_latency_;
  EventQueue& events_;
  Lsu& lsu_;
  CtaSlots& ctas_;
  const std::function<void(Cycle)> wake_;
  const std::function<void(const LandingLine&)> lands_;
  const isa::Kernel* kernel_ = nullptr;
  State state_;
};

}  // namespace stc::sm
