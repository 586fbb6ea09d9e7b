// SPDX-License-Identifier: Apache-2.0
// Models:   nothing of the hardware: it runs the SMs of a GPU, in one SystemC process, with as many threads as asked.
// Evidence: none needed; whatever the number of threads, every figure and every byte is the same.
// Abstracts: nothing.
// Timing:   time is cut into windows, shorter than anything takes that comes back to an SM. In rounds all SMs run to the
//           window's end, none seeing what another does; then their writes of global memory are made, one cycle after
//           the other and in each in the order of their numbers, and their requests leave for the crossbar. That serves
//           them before the next window, or with several threads while the SMs run it; loads that go behind stores in
//           the window of theirs. An SM waits before a store that
//           may be held up until L2 has answered those before it, behind an atomic until that is made, and at the end
//           of a CTA until SystemC's time is there. So each sees in every cycle what it would see if all went in step.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/gpu/machine/request_service.h"
#include "models/gpu/machine/thread_choice.h"
#include "models/gpu/worker_team.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class SmTeam : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SmTeam);
  /// `memory` serves requests when it is called, by SystemC's thread, unless SMs go in step.
  SmTeam(sc_core::sc_module_name name, const RequestService::Sms& sms, memory::MemorySystem& memory);

  static constexpr sm::Cycle kLongestWindow = 256;
  /// Nothing comes back to an SM in `ahead` cycles, which windows are of, at most kLongestWindow, or half as many where
  /// several threads let L2 work on one while SMs run the next; 1: SMs go in step. `always`: the threads are used even
  /// where one is faster. `shuffle_seed`: not 0, SMs follow one another in another order, for a test.
  void begin_launch(int threads, bool always, sm::Cycle ahead, std::uint32_t shuffle_seed);
  int threads() const { return threads_ ? threads_->size() : 1; }
  /// No SM goes beyond `cycle` before SystemC's time does, when all is answered that was asked before but for loads
  /// that go behind stores. `in_step`: nor before SystemC's time at all.
  void stop_at(sm::Cycle cycle, bool in_step) {
    stop_ = cycle;
    in_step_ = in_step;
  }
  /// SM `sm` is to run at `cycle`, or now if that is past.
  void wake(int sm, sm::Cycle cycle);
  /// No load waits for its turn behind stores.
  bool all_asked() const { return requests_.all_served(); }
  /// L2 has answered something that SM `sm` asked.
  void answered(int sm);

 private:
  using Waits = sm::StreamingMultiprocessor::Waits;
  struct Member {
    sm::StreamingMultiprocessor* sm = nullptr;
    sm::Cycle wake = sm::kNever;  ///< when it has something to do
    sm::Cycle clock = 0;          ///< it has done what it does before this cycle
    Waits waits = Waits::kNothing;
    sm::Cycle awaited = 0;  ///< the cycle that it waits for
    int turn = 0;           ///< among all, when they publish
  };

  void run();
  void step(sm::Cycle now);
  void stretch(sm::Cycle now);
  void begin_window(sm::Cycle now);
  bool round();
  void let_go();
  struct Round {
    sm::Cycle end = 0, entered = 0, served = 0;
  };
  void run_due(const Round& round);
  void share_due();
  void run_share(std::size_t part);
  static void run_member(Member& member, const Round& round);
  bool publish();
  void publish_cycle(sm::Cycle cycle);
  bool anyone_waits(Waits waits) const;
  void enter();
  void serve();
  bool ask_l2();
  void take_answers();
  void tell(sm::Cycle now);
  sm::Cycle done() const;
  sm::Cycle first_wake() const;
  sm::Cycle next_run(sm::Cycle now) const;
  void notify_at(sm::Cycle cycle);
  std::vector<Member*>& news_of(sm::Cycle cycle) { return news_[cycle % kLongestWindow]; }

  const RequestService::Sms& sms_;
  RequestService requests_;
  std::vector<Member> members_;                              // by SM
  std::vector<Member*> due_;                                 // who runs now
  std::array<std::vector<Member*>, kLongestWindow> news_{};  // who has some to publish, by cycle
  std::vector<int> answered_;                                // SMs with answers that they have not taken notice of
  Round round_;
  // The share of each thread in due_: the number of the next one in the low half, of the one behind the last above. Who
  // takes one from it sees what was written before the share was.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> rest{0};
  };
  std::unique_ptr<Share[]> shares_;
  std::size_t parts_ = 0;
  alignas(64) std::atomic<std::size_t> left_{0};  // of due_ that has not been run
  const std::function<void(int)> work_ = [this](int part) { run_share(static_cast<std::size_t>(part)); };
  std::unique_ptr<WorkerTeam> threads_;
  bool always_ = false;
  ThreadChoice choice_;
  sm::Cycle ahead_ = 1;
  sm::Cycle stop_ = 0;
  bool l2_follows_ = false;  // a window behind
  bool in_step_ = false;
  sm::Cycle window_end_ = 0;
  sm::Cycle published_ = 0;  // cycles before it
  sm::Cycle last_ = 0;       // in which something happened
  bool failed_ = false;
  bool running_ = false;
  sm::Cycle notified_ = sm::kNever;
  sc_core::sc_event wake_;
};

}  // namespace stc::gpu
