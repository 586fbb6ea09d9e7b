// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/launch_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/time_base.h"
#include "models/isa/text/kernel_name.h"

namespace stc::gpu {
namespace {

constexpr std::uint64_t kForever = ~std::uint64_t{0};
constexpr std::uint64_t kLongestStep = std::uint64_t{1} << 40;  // that SystemC's time can hold, in cycles
constexpr std::uint64_t kLookEvery = 4096;                      // cycles after which it looks whether all is done
constexpr std::uint64_t kWatchEvery = 512;                      // cycles, when somebody watches
constexpr int kLooksAtTheEnd = 1024;                            // of a launch that has failed
constexpr std::uint64_t kIdleSpans = 4;                         // of a quarter of idle_cycles each, if that is enough
constexpr std::uint64_t kWaitsInSpan = 4;                       // so that who is suspended is seen to come back

constexpr const char* kUnanswered = "device memory has not answered all that it was asked";

std::uint64_t cycle() { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

}  // namespace

void LaunchRunner::run(const Launch& launch, const sm::LaunchContext& context) {
  context_ = &context;
  fault_ = nullptr;
  try {
    simulate(launch);
  } catch (...) {
    abandon();
    throw;
  }
}

void LaunchRunner::fail(std::exception_ptr fault) {
  if (!fault_) fault_ = fault;
  sc_core::sc_pause();
}

void LaunchRunner::simulate(const Launch& launch) {
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  const Tick begin = context_->start_cycle * kTicksPerCycle;
  if (begin > now) sc_core::sc_start(to_time(begin - now));

  const std::uint64_t total = launch.grid.count();
  dispatcher_.begin_launch(*context_);
  // Runs until nothing is left to happen: stores of the last CTAs still reach L2 after their warps have exited.
  const std::uint64_t limit = launch.options.max_cycles;
  run_until(limit == 0 ? kForever : context_->start_cycle + limit, launch.options);
  if (fault_) std::rethrow_exception(fault_);
  if (dispatcher_.done()) return;
  if (limit != 0 && sc_core::sc_pending_activity()) {
    throw Deadlock(fmt::format("stopped at the limit of {} cycles; {} of {} CTAs have ended{}", limit,
                               dispatcher_.ended(), total, memory_.idle() ? "" : "\n" + std::string(kUnanswered)));
  }
  report_deadlock("deadlock: no warp can issue any more");
}

void LaunchRunner::abandon() {
  for (auto& sm : sms_) sm->halt();
  // A memory of the user's own may have a clock, which never ends, or never answer.
  for (int looks = 0; looks < kLooksAtTheEnd; ++looks) {
    fault_ = nullptr;  // it has been thrown
    if (!advance_to(sc_core::sc_time_stamp() + to_time(kLookEvery * kTicksPerCycle))) return;
    if (memory_may_tick_ && memory_.idle() && team_.all_asked()) return;
  }
}

void LaunchRunner::run_until(std::uint64_t end, const LaunchOptions& options) {
  const std::uint64_t quarter = (options.idle_cycles + kIdleSpans - 1) / kIdleSpans;
  const std::uint64_t span =
      options.idle_cycles == 0 ? kForever : std::max(quarter, kWaitsInSpan * context_->longest_wait);
  std::uint64_t idle_spans = 0;
  while (!fault_) {
    begin_span(idle_spans);
    const std::uint64_t step = std::min(end - std::min(end, cycle()), span);
    if (step == 0) return;
    if (!advance(std::min(step, kLongestStep), options.watch)) return;
    idle_spans = progressed(idle_spans) ? 0 : idle_spans + 1;
    if (idle_spans == kIdleSpans && !fault_)
      report_deadlock(fmt::format("no progress for {} cycles", idle_spans * span));
  }
}

bool LaunchRunner::advance(std::uint64_t cycles, LaunchWatch* watch) {
  const sc_core::sc_time end = sc_core::sc_time_stamp() + to_time(cycles * kTicksPerCycle);
  // A memory of the user's own may have a clock, with which there always is something left to happen.
  while (!fault_ && sc_core::sc_time_stamp() < end) {
    const bool stores_left = dispatcher_.done();
    const std::uint64_t look_after = watch == nullptr ? kLookEvery : kWatchEvery;
    const sc_core::sc_time step = sc_core::sc_time_stamp() + to_time(look_after * kTicksPerCycle);
    if (!advance_to(std::min(end, step)) || (stores_left && memory_.idle() && team_.all_asked())) return false;
    if (watch != nullptr && !fault_ && !watch->go_on(cycle() - context_->start_cycle, dispatcher_.ended())) {
      throw LaunchStopped();
    }
  }
  return true;
}

bool LaunchRunner::advance_to(const sc_core::sc_time& end) {
  team_.stop_at(to_ticks(end) / kTicksPerCycle, looks_closely_);
  // SystemC warns when nothing happens until the end of such a call.
  if (sc_core::sc_time_to_pending_activity() <= end - sc_core::sc_time_stamp()) {
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
  }
  if (!sc_core::sc_pending_activity()) return false;
  // It stops at the last event before the end.
  if (!fault_ && sc_core::sc_time_stamp() < end) {
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
  }
  return true;
}

void LaunchRunner::begin_span(std::uint64_t idle_spans) {
  using Stage = sm::ProgressWatch::Stage;
  const Stage stage = idle_spans == 0 ? Stage::kStores : idle_spans == 1 ? Stage::kGather : Stage::kCompare;
  looks_closely_ = idle_spans != 0;
  for (const auto& sm : sms_) sm->begin_span(stage);
}

bool LaunchRunner::progressed(std::uint64_t idle_spans) const {
  return std::any_of(sms_.begin(), sms_.end(),
                     [&](const auto& sm) { return sm->progressed() || (idle_spans > 1 && !sm->stands_still()); });
}

void LaunchRunner::report_deadlock(const std::string& what) const {
  std::string text =
      fmt::format("{} at cycle {} of kernel '{}'; {} of {} CTAs have ended\n", what, cycle() - context_->start_cycle,
                  isa::readable_name(context_->kernel->name), dispatcher_.ended(), context_->grid.count());
  if (!memory_.idle()) text += fmt::format("{}\n", kUnanswered);
  int shown = 0;
  for (const auto& sm : sms_) {
    if (sm->resident() == 0) continue;
    if (++shown > 2) {
      text += "further SMs are left out\n";
      break;
    }
    text += fmt::format("{}:\n{}", sm->basename(), sm->describe_warps());
  }
  throw Deadlock(text);
}

}  // namespace stc::gpu
