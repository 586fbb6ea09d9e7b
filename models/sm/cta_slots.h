// SPDX-License-Identifier: Apache-2.0
// Models:   the places of an SM for CTAs, and for each the slots of its warps.
// Evidence: how many there are: models/gpu/occupancy.h.
// Abstracts: warp slots of CTAs of other kernels; all CTAs of an SM are of one launch.
// Timing:   warps may issue cta_launch_latency after the CTA's dispatch. A place is free again when the last warp has
//           exited and its stores have left the SM.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/core/statistics.h"
#include "models/sm/cluster.h"
#include "models/sm/launch_context.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

constexpr int kBarriersPerCta = 16;

/// blockIdx of the CTA whose linear index is `linear`.
isa::Dim3 index_in(const isa::Dim3& grid, std::uint64_t linear);

/// Warps at the barriers of one CTA.
struct CtaBarriers {
  std::array<int, kBarriersPerCta> arrived{};
  std::array<int, kBarriersPerCta> expected{};  ///< 0: all warps of the CTA that have not exited
};

struct CtaSlot {
  isa::CtaState state;
  CtaBarriers barriers;
  std::shared_ptr<Cluster> cluster;  ///< none: the CTA is alone
  CtaRecord record;
  int warps_left = 0;      ///< that have not exited
  int warps_resident = 0;  ///< and those whose stores have not left
  bool used = false;

  /// Warps that barrier `id` waits for, arrived ones included.
  int expected_at(std::size_t id) const { return barriers.expected[id] == 0 ? warps_left : barriers.expected[id]; }
};

class CtaSlots {
 public:
  CtaSlots(int sm, int sub_cores, SmStatistics& statistics) : sm_(sm), sub_cores_(sub_cores), statistics_(statistics) {}

  /// All places are free; there are as many as the launch has CTAs per SM.
  void begin_launch(const LaunchContext* launch);
  /// Gives CTA `linear_index` a free place, dispatched at `dispatch`, and puts its warps at the kernel's entry.
  /// Returns the number of the place. `cluster`: the CTAs that it belongs with, if any, and its rank there.
  int start(std::uint64_t linear_index, Cycle dispatch, std::shared_ptr<Cluster> cluster, std::uint32_t rank);
  /// `warp` has exited and its stores have left at `end`. Returns its CTA's record if that has ended with it.
  std::optional<CtaRecord> leave(const WarpContext& warp, Cycle end);

  int free() const { return static_cast<int>(slots_.size()) - account_.resident; }
  int resident() const { return account_.resident; }
  int warps_per_cta() const { return static_cast<int>(warps_.size() / slots_.size()); }
  const std::vector<CtaSlot>& all() const { return slots_; }
  const std::vector<std::unique_ptr<WarpContext>>& warps() const { return warps_; }
  CtaSlot& operator[](int slot) { return slots_[static_cast<std::size_t>(slot)]; }
  CtaSlot& of(const WarpContext& warp) { return slots_[static_cast<std::size_t>(warp.cta_slot)]; }
  const CtaSlot& of(const WarpContext& warp) const { return slots_[static_cast<std::size_t>(warp.cta_slot)]; }
  WarpContext& warp(int slot) { return *warps_[static_cast<std::size_t>(slot)]; }

 private:
  void place(CtaSlot& slot, std::uint64_t linear_index);

  const int sm_;
  const int sub_cores_;
  SmStatistics& statistics_;
  const LaunchContext* launch_ = nullptr;
  std::vector<CtaSlot> slots_;
  std::vector<std::unique_ptr<WarpContext>> warps_;  // by warp slot; those of a CTA follow one another
  struct Account {
    int resident = 0;
    std::uint32_t generations = 0;  // warps started
    Cycle active_since = 0;
    std::uint64_t warp_cycles = 0;  // of the warps that have left, from their CTA's dispatch on
  };
  Account account_;
};

}  // namespace stc::sm
