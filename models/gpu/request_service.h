// SPDX-License-Identifier: Apache-2.0
// Brings what SMs asked of L2 in some cycles to the crossbar, one cycle after the other, whose lines L2 can look for
// ahead of that.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/memory/memory_system.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class RequestService {
 public:
  using Sms = std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>;
  RequestService(const Sms& sms, memory::MemorySystem& memory) : sms_(sms), memory_(memory) {}

  void reset();
  /// Serves what SMs have handed over, which was sent from cycle `begin` to before `end`, at most Crossbar::kSpan
  /// later.
  void serve(sm::Cycle begin, sm::Cycle end);

 private:
  void expect();

  const Sms& sms_;
  memory::MemorySystem& memory_;
  std::array<std::vector<sm::L2Port*>, memory::Crossbar::kSpan> senders_;  // by cycle, each in the order of the SMs
};

}  // namespace stc::gpu
