// SPDX-License-Identifier: Apache-2.0
#include "models/sm/cluster_unit.h"

#include <algorithm>
#include <utility>

#include "models/isa/values/copy_arrival.h"

namespace stc::sm {

void ClusterUnit::begin_launch(const isa::Kernel* kernel) {
  kernel_ = kernel;
  state_ = {};
}

void ClusterUnit::receive(ClusterMessage message) {
  const Cycle cycle = message.cycle;
  if (message.kind == ClusterMessage::Kind::kArrival) ++state_.arrivals;
  state_.inbox.push(std::move(message));
  wake_(cycle);
}

void ClusterUnit::open_barrier(int slot, std::uint32_t number, Cycle cycle) {
  events_.push(cycle, Event::Kind::kClusterOpen, slot, 0, number);
  wake_(cycle);
}

bool ClusterUnit::handle_all(Cycle now) {
  const int arrivals = state_.arrivals;
  while (state_.inbox.due(now)) handle(state_.inbox.pop(), now);
  return state_.arrivals != arrivals;
}

const char* ClusterUnit::at_barrier(WarpContext& warp, isa::ClusterBarrier does, Cycle now) {
  Cluster* const cluster = ctas_.of(warp).cluster.get();
  if (cluster == nullptr) return "the launch has no clusters";
  if (const char* misuse = isa::cluster_barrier_misuse(does, warp.cluster_phase.has_value())) return misuse;
  warp.cluster_phase.reset();
  if (does == isa::ClusterBarrier::kWait) return nullptr;
  warp.at_cluster_barrier = true;
  const Cycle taken = std::max(now, state_.arrival_free);
  state_.arrival_free = taken + static_cast<Cycle>(params_.arrival_interval);
  warp.cluster_phase = cluster->arrive(taken);
  return nullptr;
}

/// From one SM of the cluster to another: half of what a load of one word takes beyond the queue of its own LSU, the
/// ports (a packet each way) and a wavefront of the data stage.
Cycle ClusterUnit::half_way(const Cluster& cluster) const {
  const int ports_and_data = static_cast<int>(2 * (params_.packet_cycles + params_.receive_cycles)) + 1;
  return static_cast<Cycle>(std::max(1, (cluster.load_latency() - lsu_latency_ - ports_and_data) / 2));
}

ClusterMessage ClusterUnit::message(const std::shared_ptr<Cluster>& cluster, Cycle cycle) {
  ClusterMessage message;
  message.cycle = cycle;
  message.from = sm_;
  message.order = state_.messages++;
  message.cluster = cluster;
  return message;
}

void ClusterUnit::send(const MemoryInstruction& instruction, const RemotePart& part, std::uint32_t token, Cycle cycle) {
  const CtaSlot& slot = ctas_.of(ctas_.warp(instruction.warp));
  if (!slot.cluster) return;  // the CTA has ended behind its last stores
  ClusterMessage request = message(slot.cluster, cycle + half_way(*slot.cluster));
  request.sender = slot.state.cluster_rank;
  request.token = token;
  request.part = part;
  slot.cluster->sm_of(part.rank).receive(std::move(request));
}

void ClusterUnit::send(const CtaSlot& slot, const std::vector<isa::RemoteArrival>& arrivals, Cycle now, Cycle latency) {
  for (const isa::RemoteArrival& remote : arrivals) {
    ClusterMessage arrival = message(slot.cluster, now + latency);
    arrival.kind = ClusterMessage::Kind::kArrival;
    arrival.part.rank = remote.rank;
    arrival.arrival = remote.arrival;
    slot.cluster->sm_of(remote.rank).receive(std::move(arrival));
  }
}

void ClusterUnit::share(const CtaSlot& slot, const std::vector<isa::RemoteArrival>& arrivals, const LandingLine& line) {
  LandingLine theirs = line;
  theirs.source = static_cast<std::uint8_t>(slot.state.cluster_rank + 1);
  for (const isa::RemoteArrival& remote : arrivals) {
    if (remote.rank != slot.state.cluster_rank) slot.cluster->sm_of(remote.rank).lands(theirs);
  }
}

void ClusterUnit::handle(const ClusterMessage& message, Cycle now) {
  if (message.kind == ClusterMessage::Kind::kReply) {
    lsu_.remote_reply(message.token, message.part.reply_packets, now);
  } else if (message.kind == ClusterMessage::Kind::kArrival) {
    handle_arrival(message, now);
  } else {
    const Cycle left = lsu_.serve_remote(message.part, now);
    if (message.part.reply_packets == 0) return;
    ClusterMessage reply = message;
    reply.kind = ClusterMessage::Kind::kReply;
    reply.cycle = left + half_way(*message.cluster);
    reply.from = sm_;
    reply.order = state_.messages++;
    message.cluster->sm_of(message.sender).receive(std::move(reply));
  }
}

void ClusterUnit::handle_arrival(const ClusterMessage& message, Cycle now) {
  --state_.arrivals;
  isa::CtaState* const cta = message.cluster->memories()[message.part.rank];
  if (cta == nullptr) isa::throw_exited_fault(*kernel_, {message.part.rank, message.arrival});
  const bool completed = isa::complete_copy_arrival(*cta, *kernel_, message.arrival);
  if (completed) events_.push(now, Event::Kind::kPhaseCompleted, 0, 0, 0);
}

}  // namespace stc::sm
