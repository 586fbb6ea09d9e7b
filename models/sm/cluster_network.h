// SPDX-License-Identifier: Apache-2.0
// Models:   how SMs of a GPC reach each other's shared memory: packets of a sector through a port of each SM.
// Evidence: configs/gpus/h200.yaml, sm.cluster: loads, stores and atomics of 1 to 16 warps in clusters of 2 to 8 CTAs,
//           in a ring and all at one CTA (micro_cluster).
// Abstracts: the network between the ports, which nothing here fills; acknowledgements of stores.
// Timing:   packets leave and enter an SM one after the other. A load sends one packet per four sectors and gets one
//           per sector; a store sends one per sector, or two if it does not fill it but touches both of its halves; an
//           atomic sends one per sector and one per four, gets one per sector; lanes at one address take turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "models/isa/state/mbarrier.h"
#include "models/sm/cluster.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

/// What an instruction wants of one other CTA.
struct RemotePart {
  std::uint32_t rank = 0;
  int packets = 0;        ///< that leave
  int reply_packets = 0;  ///< that come back; 0: nothing does
  int wavefronts = 0;     ///< of the other SM's data stage, in cycles that its own accesses leave
  bool atomic = false;
  int passes = 0;  ///< of an atomic: lanes at its most wanted address, but for one
};

struct ClusterMessage {
  enum class Kind : std::uint8_t { kRequest, kReply, kArrival };
  Kind kind = Kind::kRequest;
  Cycle cycle = 0;  ///< at which it is there
  int from = 0;     ///< SM
  std::uint64_t order = 0;
  std::shared_ptr<Cluster> cluster;
  std::uint32_t sender = 0;  ///< rank
  std::uint32_t token = 0;   ///< of the instruction that waits
  RemotePart part;
  isa::CopyArrival arrival;
};

/// Messages to an SM in the order in which it handles them, whoever has run first.
class ClusterInbox {
 public:
  void push(ClusterMessage message) { heap_.push(std::move(message)); }
  bool due(Cycle now) const { return !heap_.empty() && heap_.top().cycle <= now; }
  Cycle next() const { return heap_.empty() ? kNever : heap_.top().cycle; }
  ClusterMessage pop() {
    ClusterMessage message = heap_.top();
    heap_.pop();
    return message;
  }
  void clear() { heap_ = {}; }

 private:
  struct Later {
    bool operator()(const ClusterMessage& a, const ClusterMessage& b) const {
      if (a.cycle != b.cycle) return a.cycle > b.cycle;
      return a.from != b.from ? a.from > b.from : a.order > b.order;
    }
  };
  std::priority_queue<ClusterMessage, std::vector<ClusterMessage>, Later> heap_;
};

/// The port of an SM: packets that leave, packets that enter.
class ClusterPort {
 public:
  explicit ClusterPort(const ClusterParams& params) : params_(params) {}

  /// The cycle at which the last of them has left or entered, from `now` on.
  Cycle send(Cycle now, int packets) { return take(state_.out_free, now, packets * params_.packet_cycles); }
  Cycle receive(Cycle now, int packets) { return take(state_.in_free, now, packets * params_.receive_cycles); }
  /// From when on less than `cycles` of work wait to leave.
  Cycle backlog_below(Cycle cycles) const {
    const auto free = static_cast<Cycle>(state_.out_free);
    return free >= cycles ? free - cycles + 1 : 0;
  }
  /// When a part of another SM's instruction that shared memory has served at `served` has been worked on.
  Cycle work_on(const RemotePart& part, Cycle served) {
    if (!part.atomic) return served;
    state_.atomic_free =
        std::max(served, state_.atomic_free) + static_cast<Cycle>(part.passes * params_.atomic_lane_cycles);
    return state_.atomic_free + static_cast<Cycle>(params_.atomic_latency);
  }
  void reset() { state_ = {}; }

 private:
  struct State {
    double out_free = 0;
    double in_free = 0;
    Cycle atomic_free = 0;  // when lanes of other SMs at one address have had their turns
  };
  static Cycle take(double& free, Cycle now, double cycles) {
    free = std::max(free, static_cast<double>(now)) + cycles;
    return static_cast<Cycle>(std::ceil(free));
  }
  const ClusterParams params_;
  State state_;
};

/// What leaves for each CTA whose memory `lanes` touch at {rank, offset}.
std::vector<RemotePart> remote_parts(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                                     bool writes, bool atomic);

}  // namespace stc::sm
