// SPDX-License-Identifier: Apache-2.0
// Models:   an SM's port to the crossbar and L2: requests for sectors of a line leave, answers return.
// Evidence: models/memory/crossbar.h.
// Abstracts: flits.
// Timing:   none here; the crossbar and L2 say when the answer is here. Requests are kept until all SMs have acted in
//           their cycle, since SMs act side by side and the crossbar's calls are for one thread, which may serve some
//           while the SM sends others. They become what travels only then: of these there are few, in that thread's
//           caches.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "models/core/statistics.h"
#include "models/core/time_base.h"
#include "models/memory/crossbar.h"
#include "models/sm/launch_context.h"
#include "models/sm/memory_instruction.h"

namespace stc::sm {

class L2Port : private memory::LineSource {
 public:
  /// `partition`: of L2, to which the SM is attached.
  L2Port(int sm, int partition, SmStatistics& statistics);
  void connect(memory::Crossbar& crossbar);

  /// The line asked for with `token` will be here at `arrival`.
  std::function<void(std::uint32_t token, Cycle arrival)> on_response;
  /// What was sent waits until `cycle`: the next stores do not leave before.
  std::function<void(Cycle cycle)> on_hold;
  /// Stores and atomics that were sent will have been made at `cycle`.
  std::function<void(Cycle cycle)> on_acknowledged;

  void begin_launch(const LaunchContext* launch);
  /// What is sent from now on is sent at `now`.
  void begin_cycle(Cycle now) {
    now_ = now;
    sent_ = stores_ = atomics_ = false;
  }
  /// Takes a request; it leaves with flush().
  void send(const LineQuery& query);
  /// Whether anything was sent in this cycle.
  bool sent() const { return sent_; }
  /// Stores, of which the crossbar may hold up the next; atomics, of which L2 may.
  bool sent_stores() const { return stores_; }
  bool sent_atomics() const { return atomics_; }
  /// Requests that were sent before `cycle` are to leave with flush(). To be called when neither the SM runs nor the
  /// crossbar.
  void hand_over(Cycle cycle);
  /// A request on its way.
  struct Leaving {
    Cycle cycle = 0;
    LineQuery query;
    Tick waited = 0;       ///< at the crossbar's ports
    bool entered = false;  ///< and that is known
  };
  /// What was handed over and has not left.
  const std::vector<Leaving>& leaving() const { return leaving_; }
  /// Calls `each` with every one of them once.
  template <class Each>
  void list(const Each& each) {
    for (; listed_ < leaving_.size(); ++listed_) each(leaving_[listed_]);
  }
  /// Calls `each` with every one of them that was sent until `cycle`, once at each of two stages.
  static constexpr std::size_t kStages = 2;
  template <class Each>
  void look_ahead(std::size_t stage, Cycle cycle, const Each& each) {
    std::size_t& next = looked_at_[stage];
    for (; next < leaving_.size() && leaving_[next].cycle <= cycle; ++next) each(leaving_[next]);
  }
  /// Requests of `cycle` pass the crossbar's ports, how long being `enter`'s answer; none older is to.
  template <class Enter>
  void enter(Cycle cycle, const Enter& enter) {
    for (; entered_ < leaving_.size() && leaving_[entered_].cycle <= cycle; ++entered_) {
      Leaving& one = leaving_[entered_];
      if (one.cycle < cycle) continue;  // which enter when they are served
      one.waited = enter(sm_, one.query);
      one.entered = true;
      if (one.query.write && one.waited != 0) on_hold(last_cycle(cycle * kTicksPerCycle + kArbitration + one.waited));
    }
  }
  /// Of that the requests that were sent at `cycle` leave; none is older.
  void flush(Cycle cycle);
  int sm() const { return sm_; }
  int partition() const { return partition_; }

 private:
  void answered(const memory::LineRequest& request, Tick arrival) override {
    on_response(request.token, last_cycle(arrival));
  }
  void held(Tick until) override { on_hold(last_cycle(until)); }
  void acknowledged(Tick arrival) override { on_acknowledged(last_cycle(arrival)); }
  static Cycle last_cycle(Tick tick) { return (tick + kTicksPerCycle - 1) / kTicksPerCycle; }
  memory::LineRequest& request_of(const Leaving& leaving);
  void count(const LineQuery& query, int sectors);

  const int sm_;
  const int partition_;
  SmStatistics& statistics_;
  const LaunchContext* launch_ = nullptr;
  memory::Crossbar* crossbar_ = nullptr;
  std::vector<Leaving> waiting_, leaving_;
  std::size_t listed_ = 0, entered_ = 0, left_ = 0;  ///< of leaving_
  std::array<std::size_t, kStages> looked_at_{};     ///< of leaving_
  Cycle now_ = 0;
  bool sent_ = false;
  bool stores_ = false, atomics_ = false;
};

}  // namespace stc::sm
