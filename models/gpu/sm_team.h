// SPDX-License-Identifier: Apache-2.0
// Models:   nothing of the hardware: it runs the SMs of a GPU, in one SystemC process, with as many threads as asked.
// Evidence: none needed; whatever the number of threads, every figure and every byte is the same.
// Abstracts: nothing.
// Timing:   in each cycle in which an SM has something to do, first all of these SMs act, side by side; none sees what
//           another does. Then, one after the other in the order of their numbers, they make their writes of global
//           memory, send their requests to the crossbar and report CTAs that have ended.
#pragma once

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

  /// `always`: the threads are used even where one is faster. `shuffle_seed`: not 0, SMs follow one another in another
  /// order, for a test.
  void begin_launch(int threads, bool always, std::uint32_t shuffle_seed);
  int threads() const { return static_cast<int>(parts_.size()); }
  /// SM `sm` is to run at `cycle`, or now if that is past.
  void wake(int sm, sm::Cycle cycle);

 private:
  struct Member {
    sm::StreamingMultiprocessor* sm = nullptr;
    sm::Cycle wake = sm::kNever;
    int turn = 0;  ///< among all, when they publish
  };
  /// The SMs of a thread.
  struct alignas(64) Part {
    std::vector<Member> members;
    std::vector<const Member*> news;  ///< who has some
    sm::Cycle next = sm::kNever;
    int ran = 0;
  };
  struct Place {
    std::size_t part = 0, member = 0;
  };

  void run();
  void run_parts(sm::Cycle now);
  static void run_part(Part& part, sm::Cycle now);
  void publish();
  void notify_at(sm::Cycle cycle);

  const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms_;
  std::vector<Part> parts_;
  std::vector<Place> places_;         // by SM
  std::vector<const Member*> turns_;  // who publishes now
  std::unique_ptr<WorkerTeam> threads_;
  bool always_ = false;
  ThreadChoice choice_;
  bool running_ = false;
  sm::Cycle notified_ = sm::kNever;
  sc_core::sc_event wake_;
};

}  // namespace stc::gpu
