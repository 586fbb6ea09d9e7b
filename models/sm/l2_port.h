// SPDX-License-Identifier: Apache-2.0
// Models:   an SM's port to the crossbar and L2: requests for sectors of a line leave, answers return.
// Evidence: models/memory/crossbar.h.
// Abstracts: flits.
// Timing:   none here; the crossbar and L2 say when the answer is here. Requests are kept until all SMs have acted in
//           their cycle, since SMs act side by side and the crossbar's calls are for one thread, which may serve some
//           while the SM sends others. What can be known of one beforehand is worked out here, side by side too.
//           Answers are kept until the SM takes notice of them.
#pragma once

#include <functional>
#include <vector>

#include "models/core/prefetch.h"
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

  /// Called when L2 has answered something, first since take_answers().
  std::function<void()> on_answer;

  void begin_launch(const LaunchContext* launch);
  /// What is sent from now on is sent at `now`.
  void begin_cycle(Cycle now) {
    now_ = now;
    sent_ = stores_ = atomics_ = false;
  }
  /// Takes a request; it leaves when somebody takes it.
  void send(const LineQuery& query);
  /// Whether anything was sent in this cycle.
  bool sent() const { return sent_; }
  /// Stores, of which the crossbar may hold up the next; atomics, of which L2 may.
  bool sent_stores() const { return stores_; }
  bool sent_atomics() const { return atomics_; }

  // To be called when neither the SM runs nor the crossbar:
  /// Requests that were sent before `cycle` are to leave.
  void hand_over(Cycle cycle);
  /// The line asked for with `token` will be here at `arrival`.
  struct Response {
    std::uint32_t token = 0;
    std::uint16_t slice = 0;   ///< of L2
    std::uint8_t sectors = 0;  ///< how many
    Tick arrival = 0;
    Cycle cycle() const { return last_cycle(arrival); }
  };
  /// What was answered besides.
  struct Answers {
    Cycle soonest = kNever;  ///< arrival of a line
    Cycle held_until = 0;    ///< the next stores do not leave before
    Cycle acknowledged = 0;  ///< stores and atomics that were sent will have been made
  };
  /// What was answered since it was last called; lines behind those of `responses`.
  Answers take_answers(std::vector<Response>& responses);

  /// leave() will be called soon.
  void expect_leaving() const {
    for (const memory::SentQuery& query : leaving_) prefetch(&query);
  }
  /// Calls `each` with all that were handed over, in their order; they have left. The SM may run.
  template <class Each>
  void leave(const Each& each) {
    for (const memory::SentQuery& query : leaving_) each(query);
    leaving_.clear();
  }

 private:
  void answered(const memory::LineRequest& request, Tick arrival) override;
  void held(Tick until) override;
  void acknowledged(Tick arrival) override;
  void note_answer();
  static Cycle last_cycle(Tick tick) { return (tick + kTicksPerCycle - 1) / kTicksPerCycle; }
  memory::SentQuery sent_query(const LineQuery& query) const;
  void count(const LineQuery& query, int sectors);

  const int sm_;
  const int partition_;
  SmStatistics& statistics_;
  const LaunchContext* launch_ = nullptr;
  memory::Crossbar* crossbar_ = nullptr;
  std::vector<memory::SentQuery> waiting_;
  Cycle now_ = 0;
  bool sent_ = false;
  bool stores_ = false, atomics_ = false;
  // Of the thread that serves requests, apart from what is the SM's:
  alignas(64) std::vector<memory::SentQuery> leaving_;
  std::vector<Response> responses_;
  struct Told {
    Tick soonest = kNever, held_until = 0, acknowledged = 0;
    bool anything = false;
  } told_;
};

}  // namespace stc::sm
