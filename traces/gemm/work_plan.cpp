// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/work_plan.h"

#include <algorithm>

namespace stc::gemm {
namespace {

constexpr int kFirstCopySlot = 2;  // its predicate is set at the tile's beginning
// How nvcc's placement differs from an even one: dense k-tiles are denser at their beginning, and in sparse ones the
// barrier comes later. Chosen so that cycles agree with those of compiled kernels (validation/timing/gemm).
constexpr double kDenseRate = 0.65;
constexpr int kSparseBarrierDelay = 6;

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

/// Earliest deadline first, at most `rate` a slot except where a deadline demands more; all by slot `last`.
std::vector<PlannedWork> spread(std::vector<Candidate> candidates, int first, int last, double rate) {
  std::vector<PlannedWork> placed;
  double credit = 0;
  for (int slot = first; !candidates.empty(); ++slot) {
    const bool end = slot >= last;
    credit = std::min(credit + rate, std::max(1.0, rate));
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

/// Items that issue copies. With two stages the next k-tile is needed at the end of this one: all copies at once.
/// Otherwise the last step is left free, if there is another.
int copy_items(const GemmDesign& d) {
  if (d.stages() == 2) return 1;
  return std::max({1, d.items - d.geometry.parts, d.steps() == 1 ? d.items - 1 : 1});
}

void add_copies(const GemmDesign& d, int copies, std::vector<Candidate>& to) {
  const int shares = copy_items(d);
  for (int item = 0; item < shares; ++item) {
    const int deadline = d.stages() == 2 ? 0 : (item + 1) * item_slots(d);
    for (int i = copies * item / shares; i < copies * (item + 1) / shares; ++i) {
      to.push_back({{0, true, {}, i}, kFirstCopySlot, deadline});
    }
  }
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
  add_copies(d, copies, plan.copies_before_barrier ? before : after);

  // The barrier divides the k-tile so that work is equally dense on both sides, or comes as late as the loads behind
  // it allow where the next k-tile has only just been asked for.
  const int loads_after = static_cast<int>(after.size()), both = loads_after + static_cast<int>(before.size());
  const double even = static_cast<double>(both) / std::max(1, all - lead);
  const double rate = d.sparse ? even : std::max(even, kDenseRate);
  int barrier = static_cast<int>(static_cast<double>(before.size()) / rate) + (d.sparse ? kSparseBarrierDelay : 0);
  if (d.stages() == 2) barrier = all - lead - loads_after;
  for (const Candidate& c : before) barrier = std::max(barrier, c.release + 1);
  plan.barrier_slot = std::clamp(barrier, 1, all - 1);
  plan.before = spread(std::move(before), 0, plan.barrier_slot - 1, rate);
  const int last = std::max(plan.barrier_slot, all - lead);
  const double rate_after = static_cast<double>(after.size()) / std::max(1, last - plan.barrier_slot);
  plan.after = spread(std::move(after), plan.barrier_slot, last, rate_after);
  return plan;
}

}  // namespace stc::gemm
