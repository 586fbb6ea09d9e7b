// SPDX-License-Identifier: Apache-2.0
// Models:   nothing of the hardware: it runs the SMs of a GPU, in one SystemC process, with as many threads as asked.
// Evidence: none needed; whatever the number of threads, every figure and every byte is the same.
// Abstracts: nothing.
// Timing:   SMs act side by side; none sees what another does in that cycle. Then, one cycle after the other and in each
//           in the order of their numbers, they make their writes of global memory, send their requests to the crossbar
//           and report CTAs that have ended.
//           An SM may run ahead of SystemC's time by less than anything takes that comes back to it: the state of one
//           SM stays in the caches of the processor, and threads meet seldom. It stops where an answer may come sooner:
//           behind stores and atomics, whose way may be blocked, and at the end of a CTA. So each sees in every cycle
//           what it would see if all went in step.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "models/gpu/thread_choice.h"
#include "models/gpu/worker_team.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class SmTeam : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SmTeam);
  SmTeam(sc_core::sc_module_name name, const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms);

  static constexpr sm::Cycle kFurthestAhead = 64;
  /// SMs may be up to `ahead` cycles before SystemC's time, at most kFurthestAhead; 1: they go in step. `always`: the
  /// threads are used even where one is faster. `shuffle_seed`: not 0, SMs follow one another in another order, for a
  /// test.
  void begin_launch(int threads, bool always, sm::Cycle ahead, std::uint32_t shuffle_seed);
  int threads() const { return threads_ ? threads_->size() : 1; }
  /// No SM goes beyond `cycle` before SystemC's time does. `in_step`: nor before SystemC's time at all.
  void stop_at(sm::Cycle cycle, bool in_step) {
    stop_ = cycle;
    in_step_ = in_step;
  }
  /// SM `sm` is to run at `cycle`, or now if that is past.
  void wake(int sm, sm::Cycle cycle);

 private:
  struct Member {
    sm::StreamingMultiprocessor* sm = nullptr;
    sm::Cycle wake = sm::kNever;  ///< when it has something to do
    sm::Cycle waits = 0;          ///< it does not run ahead before this cycle
    int turn = 0;                 ///< among all, when they publish
  };

  void run();
  void run_ahead(sm::Cycle now);
  /// Runs those that are due from `now` to `end`.
  void run_due(sm::Cycle now, sm::Cycle end);
  void run_part(std::size_t part, std::size_t parts, sm::Cycle now, sm::Cycle end);
  static void run_member(Member& member, sm::Cycle now, sm::Cycle end);
  void publish(sm::Cycle now);
  sm::Cycle next_news(sm::Cycle now) const;
  std::vector<const Member*>& news_of(sm::Cycle cycle) { return news_[cycle % kFurthestAhead]; }
  void notify_at(sm::Cycle cycle);

  const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms_;
  std::vector<Member> members_;                                    // by SM
  std::vector<Member*> due_;                                       // who runs now
  sm::Cycle next_wake_ = sm::kNever;                               // the first of all
  std::array<std::vector<const Member*>, kFurthestAhead> news_{};  // who has some, by cycle
  std::unique_ptr<WorkerTeam> threads_;
  bool always_ = false;
  ThreadChoice choice_;
  sm::Cycle ahead_ = 1;
  sm::Cycle stop_ = 0;
  bool in_step_ = false;
  bool running_ = false;
  sm::Cycle notified_ = sm::kNever;
  sc_core::sc_event wake_;
};

}  // namespace stc::gpu
