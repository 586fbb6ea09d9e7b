// SPDX-License-Identifier: Apache-2.0
// What will happen inside an SM, ordered by cycle and then by order of entry.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
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
    kPhaseCompleted      ///< warps that wait for a phase of an mbarrier look at it again
  };
  Cycle cycle = 0;
  std::uint64_t order = 0;
  Kind kind = Kind::kReleaseScoreboard;
  std::uint16_t warp = 0;        ///< warp slot (CTA slot for barriers)
  std::uint32_t generation = 0;  ///< the slot's tenant; events of an earlier one are void
  std::uint32_t index = 0;
};

class EventQueue {
 public:
  void push(Cycle cycle, Event::Kind kind, int warp, std::uint32_t generation, std::uint32_t index) {
    heap_.push({cycle, order_++, kind, static_cast<std::uint16_t>(warp), generation, index});
  }
  bool due(Cycle now) const { return !heap_.empty() && heap_.top().cycle <= now; }
  Cycle next() const { return heap_.empty() ? kNever : heap_.top().cycle; }
  Event pop() {
    const Event event = heap_.top();
    heap_.pop();
    return event;
  }
  bool empty() const { return heap_.empty(); }
  void clear() { heap_ = {}; }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order;
    }
  };
  std::priority_queue<Event, std::vector<Event>, Later> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace stc::sm
