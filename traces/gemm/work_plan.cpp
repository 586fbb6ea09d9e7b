// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/work_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stc::gemm {
namespace {

constexpr int kFirstCopySlot = 2;     // its predicate is set at the tile's beginning
constexpr int kBarrierAfterCopy = 4;  // slots
constexpr int kLoadAfterBarrier = 3;  // slots

/// More than compiled kernels have: their habits are too slow for parts of few matrix instructions, whose loads and
/// copies go out as soon and as closely as they can.
bool many_parts(const GemmDesign& d) { return d.geometry.parts > 2; }

/// Slot after whose matrix instruction nobody reads the registers of `load` any more; negative: in the tile before.
int release_of(const GemmDesign& d, const FragmentLoad& load, int item) {
  const int slots = item_slots(d);
  if (load.kind == FragmentKind::kMetadata || (d.sparse && load.kind == FragmentKind::kA)) {
    return (item / d.geometry.parts - 1) * d.geometry.parts * slots;
  }
  // Rows or columns are worked off one after the other: those of the item before last are free one by one.
  const int before_last = (item - 2) * slots;
  if (load.kind == FragmentKind::kA) {
    const int row = (load.to - d.r.a) % d.r.a_set / d.r.a_stride;
    return before_last + (row + 1) * d.part_n - 1;
  }
  const int column = (load.to - d.r.b) % d.r.b_set / d.r.b_stride;
  if (d.sparse) return before_last + (column + 1) * d.fragments_m - (many_parts(d) ? 1 : 0);
  return before_last + (d.fragments_m - 1) * d.part_n + column + 1;  // two columns a load
}

/// Places pieces of work one after the other, at most `rate` a slot.
class Placer {
 public:
  Placer(int first, double rate) : next_(first), step_(1 / rate) {}

  void not_before(int slot) { next_ = std::max(next_, static_cast<double>(slot)); }

  void place(PlannedWork work, int release, int deadline) {
    not_before(release);
    const int slot = std::min(static_cast<int>(next_), std::max(release, deadline));
    next_ += step_;
    work.slot = slot;
    // Nothing that comes before in the program may come later.
    for (PlannedWork& earlier : placed_) earlier.slot = std::min(earlier.slot, slot);
    placed_.push_back(work);
  }

  std::vector<PlannedWork> take() { return std::move(placed_); }

 private:
  double next_;
  double step_;
  std::vector<PlannedWork> placed_;
};

bool is_b(const FragmentLoad& load) { return load.kind == FragmentKind::kB; }

/// Loads to be issued with those of `item` of the k-tile, or of the first item of the next one. Where a step has many
/// parts, A and metadata of the next step are dealt out over all of them.
std::vector<FragmentLoad> loads_for(const GemmDesign& d, int tile, int item) {
  if (item == d.items) return fragment_loads(d, (tile + 1) % d.unroll, 0);
  std::vector<FragmentLoad> loads = fragment_loads(d, tile, item);
  const int parts = d.geometry.parts, part = item % parts, next_step = item - part + parts;
  if (!many_parts(d)) return loads;
  if (item >= parts) loads.erase(std::remove_if(loads.begin(), loads.end(), std::not_fn(is_b)), loads.end());
  if (part == 0 || next_step == d.items) return loads;
  std::vector<FragmentLoad> dealt = fragment_loads(d, tile, next_step);
  dealt.erase(std::remove_if(dealt.begin(), dealt.end(), is_b), dealt.end());
  const auto count = static_cast<std::ptrdiff_t>(dealt.size());
  loads.insert(loads.end(), dealt.begin() + count * (part - 1) / (parts - 1),
               dealt.begin() + count * part / (parts - 1));
  return loads;
}

/// In the order in which registers become free.
void place_loads(const GemmDesign& d, int tile, int item, int deadline, Placer& placer) {
  std::vector<FragmentLoad> loads = loads_for(d, tile, item);
  const int parts = d.geometry.parts;
  const auto release = [&](const FragmentLoad& load) {
    // Dealt out: for the next step.
    return release_of(d, load, is_b(load) || item % parts == 0 ? item : item / parts * parts + parts);
  };
  std::stable_sort(loads.begin(), loads.end(),
                   [&](const FragmentLoad& a, const FragmentLoad& b) { return release(a) < release(b); });
  for (const FragmentLoad& load : loads) placer.place({0, false, false, load, 0}, release(load), deadline);
}

/// Items that issue copies. With two stages the next k-tile is needed at the end of this one: all copies at once.
/// Otherwise the last step is left free, if there is another.
int copy_items(const GemmDesign& d) {
  if (d.stages() == 2) return 1;
  if (many_parts(d)) return d.items - 1;
  return std::max({1, d.items - d.geometry.parts, d.steps() == 1 ? d.items - 1 : 1});
}

void place_copies(const GemmDesign& d, int copies, int item, Placer& placer) {
  const int shares = copy_items(d), last = d.items * item_slots(d) - 1;
  if (item >= shares) return;
  const int first = copies * item / shares;
  for (int i = first; i < copies * (item + 1) / shares; ++i) {
    placer.place({0, true, i == first && !many_parts(d), {}, i}, std::min(kFirstCopySlot, last), last);
  }
}

}  // namespace

PlacementHabits placement_habits(const GemmDesign& d) {
  const int half = std::max(0, item_slots(d) / 2 - 1);
  PlacementHabits habits;
  if (d.sparse) {
    habits.first_slot = d.geometry.parts > 1 ? 0 : half;
    habits.rate = many_parts(d) ? 2.5 : 1.5;
    return habits;
  }
  const bool sm90 = d.spec.sm_version >= 90;
  habits.first_slot = std::min(sm90 ? 10 : 4, half);
  habits.rate = 1;
  habits.late = true;
  habits.lead = sm90 ? 12 : 10;
  return habits;
}

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies) {
  const PlacementHabits habits = placement_habits(d);
  const int slots = item_slots(d), all = d.items * slots;
  const int lead = std::min(ceil_div(d.spec.times.load, d.spec.times.mma_interval), slots - 1);
  WorkPlan plan;
  // A k-tile of one item has no load before the barrier; its copies come behind it too, unless there is no stage to
  // spare: the next k-tile must then be asked for before it is waited for.
  plan.copies_before_barrier = d.items > 1 || d.stages() == 2;
  int pieces = copies;
  for (int item = 1; item <= d.items; ++item) pieces += static_cast<int>(loads_for(d, tile, item).size());
  const double rate = std::max(habits.rate, static_cast<double>(pieces) / std::max(1, all - lead));
  Placer before(habits.first_slot, rate);
  for (int item = 1; item < d.items; ++item) {
    place_loads(d, tile, item, item * slots - 1 - lead, before);
    if (plan.copies_before_barrier) place_copies(d, copies, item - 1, before);
  }
  if (d.items == 1 && plan.copies_before_barrier) place_copies(d, copies, 0, before);
  plan.before = before.take();
  int barrier = 1;
  if (!plan.before.empty()) {
    const PlannedWork& last = plan.before.back();
    barrier = last.slot + (last.is_copy ? kBarrierAfterCopy : 1);
  }
  plan.barrier_slot = std::clamp(barrier, 1, all - 1);

  Placer after(plan.barrier_slot + (many_parts(d) ? 0 : kLoadAfterBarrier), rate);
  const auto loads = static_cast<double>(loads_for(d, tile, d.items).size());
  if (habits.late) after.not_before(all - habits.lead - static_cast<int>(std::ceil(loads / rate)));
  place_loads(d, tile, d.items, all - 1, after);
  if (!plan.copies_before_barrier) place_copies(d, copies, 0, after);
  plan.after = after.take();
  for (PlannedWork& work : plan.after) work.slot = std::clamp(work.slot, plan.barrier_slot, all - 1);
  return plan;
}

}  // namespace stc::gemm
