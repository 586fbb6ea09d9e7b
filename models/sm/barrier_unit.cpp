// SPDX-License-Identifier: Apache-2.0
#include "models/sm/barrier_unit.h"

#include <algorithm>

namespace stc::sm {

void BarrierUnit::arrive(WarpContext& warp, CtaSlot& slot, const isa::ExecuteResult& result, bool defers, Cycle now) {
  const Cycle taken = std::max(now, free_);
  free_ = taken + static_cast<Cycle>(params_.barrier_arrival_interval);
  const auto id = static_cast<std::size_t>(result.barrier_id);
  ++slot.barriers.arrived[id];
  slot.barriers.expected[id] = static_cast<int>((result.barrier_threads + isa::kWarpSize - 1) / isa::kWarpSize);
  if (!result.barrier_arrive_only) {
    warp.at_barrier = true;
    warp.held_at_barrier = !defers;
    warp.barrier = result.barrier_id;
  }
  open_if_complete(warp.cta_slot, slot, id, taken);
}

void BarrierUnit::warp_exits(int number, CtaSlot& slot, Cycle now) {
  if (slot.warps_left == 0) return;
  for (std::size_t id = 0; id < slot.barriers.arrived.size(); ++id) open_if_complete(number, slot, id, now);
}

void BarrierUnit::open_if_complete(int number, CtaSlot& slot, std::size_t id, Cycle taken) {
  int& arrived = slot.barriers.arrived[id];
  if (arrived == 0 || arrived < slot.expected_at(id)) return;
  arrived = 0;
  const Cycle opens = taken + static_cast<Cycle>(params_.barrier_latency);
  events_.push(opens, Event::Kind::kBarrierOpen, number, 0, static_cast<std::uint32_t>(id));
}

}  // namespace stc::sm
