// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/work_plan.h"

#include <algorithm>
#include <limits>

namespace stc::gemm {
namespace {

constexpr int kFirstCopySlot = 2;  // its predicate is set at the tile's beginning

struct Candidate {
  PlannedWork work;
  int release = 0, deadline = 0;
};

/// Slot after the one in which the registers' last reader is issued; negative: in the tile before.
int release_of(const GemmDesign& d, const FragmentLoad& load, int item) {
  const int slots = item_slots(d);
  if (load.kind != FragmentKind::kB) return (item / d.geometry.parts - 1) * d.geometry.parts * slots;
  if (!d.sparse) return (item - 1) * slots;
  // Columns are worked off one after the other: those of the item before last are free one by one.
  const int set_begin = d.r.b + ((load.to - d.r.b) / d.r.b_set) * d.r.b_set;
  const int column = (load.to - set_begin) / d.r.b_stride;
  return (item - 2) * slots + (column + 1) * d.fragments_m;
}

/// Earliest deadline first, `count` / `slots` of them a slot and more where deadlines demand it.
std::vector<PlannedWork> spread(std::vector<Candidate> candidates, int first, int last) {
  std::vector<PlannedWork> placed;
  const double rate = static_cast<double>(candidates.size()) / std::max(1, last - first);
  double credit = 0;
  for (int slot = first; !candidates.empty(); ++slot) {
    const bool end = slot >= last;
    credit += rate;
    while (!candidates.empty()) {
      auto next = candidates.end();
      for (auto c = candidates.begin(); c != candidates.end(); ++c) {
        if (c->release > slot && !end) continue;
        if (next == candidates.end() || c->deadline < next->deadline) next = c;
      }
      if (next == candidates.end() || (credit < 1 && next->deadline > slot && !end)) break;
      next->work.slot = std::min(slot, last);
      placed.push_back(next->work);
      candidates.erase(next);
      credit = std::max(0.0, credit - 1);
    }
  }
  return placed;
}

}  // namespace

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies) {
  const int slots = item_slots(d), all = d.items * slots;
  const int lead = std::min(ceil_div(d.spec.times.load, d.spec.times.mma_interval), slots - 1);
  std::vector<Candidate> before, after;
  for (int item = 1; item < d.items; ++item) {
    for (const FragmentLoad& load : fragment_loads(d, tile, item)) {
      before.push_back({{0, false, load, 0}, release_of(d, load, item), item * slots - lead});
    }
  }
  for (const FragmentLoad& load : fragment_loads(d, (tile + 1) % d.unroll, 0)) {
    after.push_back({{0, false, load, 0}, release_of(d, load, d.items), all - lead});
  }
  WorkPlan plan;
  // A k-tile of one item has no load before the barrier; its copies come behind it too, unless there is no stage to
  // spare: the next k-tile must then be asked for before it is waited for.
  plan.copies_before_barrier = d.items > 1 || d.stages() == 2;
  std::vector<Candidate>& copying = plan.copies_before_barrier ? before : after;
  for (int i = 0; i < copies; ++i) {
    const int deadline = d.stages() == 2 ? 0 : plan.copies_before_barrier ? std::numeric_limits<int>::max() : all;
    copying.push_back({{0, true, {}, i}, kFirstCopySlot, deadline});
  }
  // Equal rates on both sides of the barrier; with two stages it comes as late as the loads behind it allow.
  const int loads_after = static_cast<int>(after.size()), both = loads_after + static_cast<int>(before.size());
  int barrier = (all - lead) * static_cast<int>(before.size()) / both;
  if (d.stages() == 2) barrier = all - lead - loads_after;
  for (const Candidate& c : before) barrier = std::max(barrier, c.release + 1);
  plan.barrier_slot = std::clamp(barrier, 1, all - 1);
  plan.before = spread(std::move(before), 0, plan.barrier_slot - 1);
  plan.after = spread(std::move(after), plan.barrier_slot, std::max(plan.barrier_slot, all - lead));
  return plan;
}

}  // namespace stc::gemm
