// SPDX-License-Identifier: Apache-2.0
// Brings what SMs ask of L2 to the crossbar, one cycle after the other, while SMs run later ones. L2 looks for lines
// ahead of that. An SM that waits to know how long its stores are held up can know it before they are served.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "models/memory/memory_system.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class RequestService {
 public:
  using Sms = std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>;
  RequestService(const Sms& sms, memory::MemorySystem& memory) : sms_(sms), memory_(memory) {}

  static constexpr sm::Cycle kSpan = 256;
  void reset();
  /// Nothing is sent before cycle `now` but what has been handed over.
  void begin(sm::Cycle now);
  /// SMs hand over what they sent before cycle `end`, at most kSpan after the first that is not served.
  void hand_over(sm::Cycle end);
  /// SMs come to know until when stores are held up that have been handed over.
  void enter();
  /// What has been handed over is served. Meanwhile SMs may run.
  void serve();
  /// What one SM has sent before cycle `end` is left to the crossbar, which SystemC lets serve it.
  void send(sm::StreamingMultiprocessor& sm, sm::Cycle end);

  // Cycles whose requests have all been handed over, entered, been served.
  sm::Cycle handed_over() const { return handed_over_; }
  sm::Cycle entered() const { return memory_.crossbar().stores_wait_in_l2() ? served_ : entered_; }
  sm::Cycle served() const { return served_; }
  /// No load waits for its turn behind stores, whoever serves it.
  bool all_served() const { return later_.empty() && memory_.crossbar().idle(); }
  /// The cycle of the first load that goes behind stores; kNever if none does.
  sm::Cycle first_due() const { return later_.empty() ? sm::kNever : later_.begin()->first; }

 private:
  using Queries = std::vector<memory::SentQuery>;
  void list();
  void list_due(sm::Cycle cycle);
  template <class Each>
  void in_turn(sm::Cycle cycle, const Each& each);
  static constexpr std::size_t kPortsAhead = 2;                                // SMs
  static constexpr sm::Cycle kTagsAhead = 8, kLinesAhead = 5, kHomeAhead = 2;  // cycles
  template <class Each>
  void each_sent(sm::Cycle first, sm::Cycle end, const Each& each);
  Queries& of(sm::Cycle cycle) { return queries_[cycle % kSpan]; }

  const Sms& sms_;
  memory::MemorySystem& memory_;
  std::array<Queries, kSpan> queries_;  // by cycle, each in the order of the SMs
  std::map<sm::Cycle, Queries> later_;  // loads that go behind stores, by the cycle of theirs
  sm::Cycle handed_over_ = 0, entered_ = 0, served_ = 0;
};

}  // namespace stc::gpu
