// SPDX-License-Identifier: Apache-2.0
// Runs SystemC until a launch has ended, failed or got nowhere for too long.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/gpu/machine/cta_dispatcher.h"
#include "models/gpu/machine/sm_team.h"
#include "models/memory/memory_system.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class LaunchRunner {
 public:
  /// `memory_may_tick`: device memory is the user's own; it may have a clock, which never ends, or never answer.
  LaunchRunner(const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms, SmTeam& team,
               CtaDispatcher& dispatcher, const memory::MemorySystem& memory, bool memory_may_tick)
      : sms_(sms), team_(team), dispatcher_(dispatcher), memory_(memory), memory_may_tick_(memory_may_tick) {}

  /// Runs `launch`, for which the parts of the machine are ready. Throws what went wrong; nothing is under way then.
  void run(const Launch& launch, const sm::LaunchContext& context);
  /// The launch has failed: the simulation stops.
  void fail(std::exception_ptr fault);

 private:
  void simulate(const Launch& launch);
  /// Ends a launch in the middle: nothing is issued any more, what is under way arrives.
  void abandon();
  /// Runs until nothing is left to happen, the limit of cycles, a fault or a standstill.
  void run_until(std::uint64_t end, const LaunchOptions& options);
  /// Returns false when nothing is left to happen.
  bool advance(std::uint64_t cycles, LaunchWatch* watch);
  bool advance_to(const sc_core::sc_time& end);
  void begin_span(std::uint64_t idle_spans);
  /// Whether anything happened in the span that began after `idle_spans` without progress.
  bool progressed(std::uint64_t idle_spans) const;
  [[noreturn]] void report_deadlock(const std::string& what) const;

  const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms_;
  SmTeam& team_;
  CtaDispatcher& dispatcher_;
  const memory::MemorySystem& memory_;
  const bool memory_may_tick_;
  const sm::LaunchContext* context_ = nullptr;
  std::exception_ptr fault_;
  bool looks_closely_ = false;  ///< whether warps get anywhere
};

}  // namespace stc::gpu
