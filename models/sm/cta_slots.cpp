// SPDX-License-Identifier: Apache-2.0
#include "models/sm/cta_slots.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "models/isa/values/poison.h"

namespace stc::sm {
namespace {

[[maybe_unused]] std::uint64_t sum_of(const std::array<std::uint64_t, kStalls>& stalls) {
  return std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0});
}

}  // namespace

isa::Dim3 index_in(const isa::Dim3& grid, std::uint64_t linear) {
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  isa::Dim3 index;
  index.x = static_cast<std::uint32_t>(linear % grid.x);
  index.y = static_cast<std::uint32_t>(linear % plane / grid.x);
  index.z = static_cast<std::uint32_t>(linear / plane);
  return index;
}

void CtaSlots::begin_launch(const LaunchContext* launch) {
  launch_ = launch;
  account_ = {};
  const auto warps_per_cta = static_cast<std::size_t>((launch->block.count() + isa::kWarpSize - 1) / isa::kWarpSize);
  slots_.assign(static_cast<std::size_t>(launch->ctas_per_sm), CtaSlot{});
  warps_.clear();
  for (int i = 0; i < static_cast<int>(slots_.size() * warps_per_cta); ++i) {
    warps_.push_back(std::make_unique<WarpContext>(0, i, i % sub_cores_));  // gets its registers with its first CTA
  }
}

int CtaSlots::start(std::uint64_t linear_index, Cycle dispatch, std::shared_ptr<Cluster> cluster, std::uint32_t rank) {
  const auto unused = std::find_if(slots_.begin(), slots_.end(), [](const CtaSlot& slot) { return !slot.used; });
  CtaSlot& slot = *unused;
  const int number = static_cast<int>(unused - slots_.begin());
  place(slot, linear_index);
  slot.cluster = std::move(cluster);
  slot.state.cluster_rank = rank;
  slot.state.cluster = slot.cluster ? &slot.cluster->memories() : nullptr;
  slot.record = {linear_index, sm_, dispatch - launch_->start_cycle, 0};
  for (int i = 0; i < warps_per_cta(); ++i) {
    WarpContext& warp = this->warp(number * warps_per_cta() + i);
    isa::start_warp(warp.state, *launch_->kernel, slot.state, i);
    if (launch_->poison != nullptr) isa::Poison::fill(warp.state);
    warp.begin(number, account_.generations++, dispatch, static_cast<Cycle>(launch_->cta_launch_latency));
  }
  if (account_.resident++ == 0) account_.active_since = dispatch;
  ++statistics_.ctas;
  return number;
}

void CtaSlots::place(CtaSlot& slot, std::uint64_t linear_index) {
  slot.used = true;
  slot.barriers = {};
  slot.state.grid = launch_->grid;
  slot.state.block = launch_->block;
  slot.state.linear_index = linear_index;
  slot.state.index = index_in(launch_->grid, linear_index);
  slot.state.pooled_registers = {};
  slot.state.shared.assign(launch_->shared_bytes_per_cta, 0);
  slot.state.shared_role.assign((launch_->shared_bytes_per_cta + 15) / 16, 0);
  if (launch_->poison != nullptr) isa::Poison::fill(slot.state);
  slot.state.constant0 = launch_->constant0;
  slot.warps_left = slot.warps_resident = warps_per_cta();
}

std::optional<CtaRecord> CtaSlots::leave(const WarpContext& warp, Cycle end) {
  CtaSlot& slot = of(warp);
  account_.warp_cycles += std::max(end, warp.accounted) - launch_->start_cycle - slot.record.start;
  if (--slot.warps_resident > 0) return std::nullopt;
  slot.used = false;
  slot.cluster.reset();
  slot.record.end = end - launch_->start_cycle;
  if (--account_.resident == 0) {
    statistics_.cycles_active += end - account_.active_since;
    assert(sum_of(statistics_.stalls) == account_.warp_cycles && "every cycle of a warp is counted once");
  }
  return slot.record;
}

}  // namespace stc::sm
