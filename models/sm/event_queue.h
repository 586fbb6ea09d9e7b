// SPDX-License-Identifier: Apache-2.0
// What will happen inside an SM, ordered by cycle and then by order of entry, or what was taken for one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace stc::sm {

using Cycle = std::uint64_t;
constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

struct Event {
  enum class Kind : std::uint8_t {
    kReleaseScoreboard,  ///< decrement scoreboard `index` of `warp`
    kAsyncCopyDone,      ///< one LDGSTS of group `index` of `warp` has landed in shared memory
    kDataArrived,        ///< all lines of the memory instruction with token `index` are at the SM
    kStoreLeft,          ///< a global store of `warp` has left the SM
    kBarrierOpen,        ///< barrier `index` of the CTA in slot `warp` opens
    kClusterOpen,        ///< the barrier of that CTA's cluster opens
    kBulkLanded,         ///< bulk copy `index` has come to shared memory
    kBulkStored,         ///< one of group `index` of `warp` has left the SM
    kPhaseCompleted      ///< warps that wait for a phase of an mbarrier look at it again
  };
  Cycle cycle = 0;
  std::uint64_t order = 0;
  Kind kind = Kind::kReleaseScoreboard;
  std::uint16_t warp = 0;        ///< warp slot (CTA slot for barriers)
  std::uint32_t generation = 0;  ///< the slot's tenant; events of an earlier one are void
  std::uint32_t index = 0;
};

/// Events of the next kSpan cycles wait in lists, one a cycle; others in a heap. It is small, since there is one an SM:
/// of each list only the last node is known, and after that comes the first.
class EventQueue {
 public:
  void push(Cycle cycle, Event::Kind kind, int warp, std::uint32_t generation, std::uint32_t index) {
    push(cycle, kind, warp, generation, index, take_order());
  }
  /// The place among events of one cycle that an event would have that is pushed now; it may be pushed later.
  std::uint64_t take_order() { return order_++; }
  void push(Cycle cycle, Event::Kind kind, int warp, std::uint32_t generation, std::uint32_t index,
            std::uint64_t order) {
    const Event event{cycle, order, kind, static_cast<std::uint16_t>(warp), generation, index};
    next_ = std::min(next_, cycle);
    if (cycle >= begin_ && cycle - begin_ < kSpan && (unused_ != kNone || nodes_.size() < kNone)) {
      append(event);
    } else {
      far_.push_back(event);
      std::push_heap(far_.begin(), far_.end(), Later());
    }
  }
  bool due(Cycle now) const { return next_ <= now; }
  Cycle next() const { return next_; }
  Event pop() {
    begin_ = std::max(begin_, next_);
    const std::size_t slot = next_ % kSpan;
    const bool near = next_ == begin_ && holds(slot);
    const bool far = !far_.empty() && far_.front().cycle == next_;
    const bool takes_far = far && (!near || far_.front().order < first(slot).event.order);
    const Event event = takes_far ? pop_far() : pop_near(slot);
    next_ = soonest();
    return event;
  }
  bool empty() const { return next_ == kNever; }
  /// The event that pop() returns next, if it comes soon; null: it is not known without looking further.
  const Event* coming() const {
    const std::size_t slot = next_ % kSpan;
    return next_ - begin_ < kSpan && holds(slot) ? &first(slot).event : nullptr;
  }
  void clear() { *this = EventQueue(); }

 private:
  static constexpr Cycle kSpan = 512;
  static constexpr std::size_t kWordBits = 64, kWords = kSpan / kWordBits;
  using Number = std::uint16_t;  // of a node
  static constexpr Number kNone = 0xffff;
  struct Node {
    Event event;
    Number next = kNone;  // of the same cycle, or unused too
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order;
    }
  };

  bool holds(std::size_t slot) const { return (used_[slot / kWordBits] >> (slot % kWordBits) & 1) != 0; }
  const Node& first(std::size_t slot) const { return nodes_[nodes_[last_[slot]].next]; }
  void append(const Event& event) {
    if (unused_ == kNone) {
      unused_ = static_cast<Number>(nodes_.size());
      nodes_.emplace_back();
    }
    const Number number = unused_;
    Node& node = nodes_[number];
    unused_ = node.next;
    node.event = event;
    const std::size_t slot = event.cycle % kSpan;
    if (!holds(slot)) {
      used_[slot / kWordBits] |= std::uint64_t{1} << (slot % kWordBits);
      node.next = number;
      last_[slot] = number;
      return;
    }
    Number before = last_[slot];
    if (nodes_[before].event.order < event.order) {
      last_[slot] = number;
    } else {
      while (nodes_[nodes_[before].next].event.order < event.order) before = nodes_[before].next;
    }
    node.next = nodes_[before].next;
    nodes_[before].next = number;
  }
  Event pop_near(std::size_t slot) {
    Node& last = nodes_[last_[slot]];
    const Number number = last.next;
    Node& node = nodes_[number];
    if (&node == &last) {
      used_[slot / kWordBits] &= ~(std::uint64_t{1} << (slot % kWordBits));
    } else {
      last.next = node.next;
    }
    node.next = unused_;
    unused_ = number;
    return node.event;
  }
  Event pop_far() {
    std::pop_heap(far_.begin(), far_.end(), Later());
    const Event event = far_.back();
    far_.pop_back();
    return event;
  }
  Cycle soonest() const {
    const Cycle far = far_.empty() ? kNever : far_.front().cycle;
    const std::size_t from = begin_ % kSpan;
    // The word in which the span begins comes again at its end.
    for (std::size_t i = 0; i <= kWords; ++i) {
      const std::size_t word = (from / kWordBits + i) % kWords;
      std::uint64_t bits = used_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (from % kWordBits);
      if (bits == 0) continue;
      const std::size_t slot = word * kWordBits + static_cast<std::size_t>(__builtin_ctzll(bits));
      return std::min(far, begin_ + (slot + kSpan - from) % kSpan);
    }
    return far;
  }

  std::vector<Node> nodes_;
  Number unused_ = kNone;
  std::array<std::uint64_t, kWords> used_{};  // bit per cycle of the span: it has events
  std::array<Number, kSpan> last_;            // node, where it has
  std::vector<Event> far_;
  Cycle begin_ = 0;  // of the span: an event before it is in far_
  Cycle next_ = kNever;
  std::uint64_t order_ = 0;
};

}  // namespace stc::sm
