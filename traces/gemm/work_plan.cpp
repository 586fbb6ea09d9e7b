// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/work_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stc::gemm {
namespace {

constexpr int kFirstCopySlot = 2;  // its predicate is set at the tile's beginning

/// Loads and copies go out as soon and as closely as they can.
bool many_parts(const GemmDesign& d) { return d.geometry.parts > 2; }

/// Of the second part; its registers change from step to step.
bool is_last_column(const GemmDesign& d, const FragmentLoad& load) {
  const int last = b_register(d, {0, 1, 0, 1, 0}, d.part_n - 1);
  const auto in = [&](int first) { return load.to >= first && load.to < first + d.r.b_stride; };
  return in(last) || in(d.r.spare_b);
}

/// Slot after whose matrix instruction nobody reads the registers of `load` for `item` any more; negative: in the
/// k-tile before. Register sets alternate: their last readers belong to the item (the step) before last.
int release_of(const GemmDesign& d, const std::vector<MatrixSlot>& order, const FragmentLoad& load, int item) {
  const int parts = d.geometry.parts;
  if (load.kind == FragmentKind::kMetadata) {
    return d.moves_metadata && d.metadata_blocks == 1 ? -1 : (item / parts - 1) * parts * item_slots(d);
  }
  const bool is_a = load.kind == FragmentKind::kA;
  if (!is_a && d.r.spare_b != 0 && item % parts == 1 && is_last_column(d, load)) return -1;
  const int to = load.to - (is_a ? d.r.a : d.r.b), set = is_a ? d.r.a_set : d.r.b_set;
  const int index = to % set / (is_a ? d.r.a_stride : d.r.b_stride);
  const int past_index = index + (!is_a && d.chunks_b == 2 ? 2 : 1);  // two columns a load
  const int past_item = is_a ? (item / parts - 1) * parts : item - 1;
  const int wrap = past_item <= 0 ? d.items : 0;  // of the k-tile before
  int last = -1;
  for (int slot = 0; slot < static_cast<int>(order.size()); ++slot) {
    const MatrixSlot& s = order[static_cast<std::size_t>(slot)];
    const int fragment = is_a ? s.row : s.column;
    if (s.item < past_item + wrap && s.item >= past_item + wrap - (is_a ? parts : 1) && fragment >= index &&
        fragment < past_index) {
      last = slot;
    }
  }
  return wrap == 0 ? last : last - static_cast<int>(order.size());
}

/// Places pieces of work one after the other, at most `rate` a slot.
class Placer {
 public:
  Placer(double first, double rate) : next_(first), step_(1 / rate) {}

  /// A turn for the instruction that ends the group of copies; its slot.
  int end_copies() {
    const int slot = next();
    next_ += step_;
    return slot;
  }
  int next() const { return static_cast<int>(next_); }
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
  if (item == d.items) {
    std::vector<FragmentLoad> loads = fragment_loads(d, (tile + 1) % d.unroll, 0);
    for (FragmentLoad& load : loads) {
      if (load.kind == FragmentKind::kMetadata && d.moves_metadata) load.to += d.r.e_set;
    }
    return loads;
  }
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
void place_loads(const GemmDesign& d, const std::vector<MatrixSlot>& order, int tile, int item, int deadline,
                 Placer& placer) {
  std::vector<FragmentLoad> loads = loads_for(d, tile, item);
  const int parts = d.geometry.parts;
  const auto release = [&](const FragmentLoad& load) {
    // Dealt out: for the next step.
    return release_of(d, order, load, is_b(load) || item % parts == 0 ? item : item / parts * parts + parts);
  };
  const int start = placer.next();
  std::stable_sort(loads.begin(), loads.end(), [&](const FragmentLoad& a, const FragmentLoad& b) {
    return std::max(release(a), start) < std::max(release(b), start);
  });
  for (const FragmentLoad& load : loads) placer.place({0, false, false, load, 0}, release(load), deadline);
}

/// Returns the slot in which the copies' group ends, if they are the last; -1 otherwise.
int place_copies(const GemmDesign& d, const PlacementHabits& habits, int copies, int item, Placer& placer) {
  const int shares = copy_items(d), last = d.items * item_slots(d) - 1;
  if (item >= shares) return -1;
  const int first = copies * item / shares;
  for (int i = first; i < copies * (item + 1) / shares; ++i) {
    if (i >= habits.early_copies) placer.not_before(habits.copies_from);
    placer.place({0, true, i == first && !many_parts(d), {}, i}, std::min(kFirstCopySlot, last), last);
  }
  return item + 1 == shares ? placer.end_copies() : -1;
}

}  // namespace

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies) {
  const PlacementHabits habits = placement_habits(d, copies);
  const int slots = item_slots(d), all = d.items * slots;
  const int lead =
      std::min(ceil_div(d.spec.times.load, d.spec.times.mma_interval), many_parts(d) ? slots - 1 : slots / 16);
  WorkPlan plan;
  plan.order = matrix_order(d);
  // A k-tile of one item has no load before the barrier; its copies come behind it too, unless there is no stage to
  // spare: the next k-tile must then be asked for before it is waited for.
  plan.copies_before_barrier = d.items > 1 || d.stages() == 2;
  int pieces = copies;
  for (int item = 1; item <= d.items; ++item) pieces += static_cast<int>(loads_for(d, tile, item).size());
  const double rate = std::max(habits.rate, static_cast<double>(pieces) / std::max(1, all - lead));
  int group_end = -1;
  Placer before(habits.first_slot, rate);
  for (int item = 1; item < d.items; ++item) {
    place_loads(d, plan.order, tile, item, item * slots - 1 - lead, before);
    if (plan.copies_before_barrier) group_end = place_copies(d, habits, copies, item - 1, before);
  }
  if (d.items == 1 && plan.copies_before_barrier) group_end = place_copies(d, habits, copies, 0, before);
  plan.before = before.take();
  int barrier = 1;
  if (!plan.before.empty()) {
    const PlannedWork& last = plan.before.back();
    barrier = last.is_copy ? group_end + habits.barrier_after_copies : last.slot + 1;
  }
  plan.barrier_slot = std::clamp(barrier, 1, all - 1);

  Placer after(plan.barrier_slot + habits.after_barrier, rate);
  const auto loads = static_cast<double>(loads_for(d, tile, d.items).size());
  if (habits.late) after.not_before(all - habits.lead - static_cast<int>(std::ceil(loads / rate)));
  place_loads(d, plan.order, tile, d.items, all - 1, after);
  if (!plan.copies_before_barrier) place_copies(d, habits, copies, 0, after);
  plan.after = after.take();
  for (PlannedWork& work : plan.after) work.slot = std::clamp(work.slot, plan.barrier_slot, all - 1);
  return plan;
}

}  // namespace stc::gemm
