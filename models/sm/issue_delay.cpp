// SPDX-License-Identifier: Apache-2.0
#include "models/sm/issue_delay.h"

#include <algorithm>

namespace stc::sm {

Cycle IssueDelay::delayed(const IssueInfo& info, const isa::ExecuteResult& result, Cycle stalled, Cycle now,
                          std::uint64_t timer_ns, double clock_mhz) {
  Cycle next = stalled;
  if (result.branched || result.converges) next = branch_end(info, result, next, now);
  if (result.driver_lanes != 0) next += driver_cycles(result);
  if (result.sleeps_until_ns == 0) return next;
  // The running path sleeps on, since no other path of its warp can run.
  const std::uint64_t left = result.sleeps_until_ns > timer_ns ? result.sleeps_until_ns - timer_ns : 0;
  const auto cycles = static_cast<Cycle>(static_cast<double>(left) * clock_mhz / 1e3);
  return std::max(next, now + cycles + static_cast<Cycle>(params_.issue.nanosleep_cycles));
}

/// First issue behind a branch issued at `now` whose stall count ends at `stalled`.
Cycle IssueDelay::branch_end(const IssueInfo& info, const isa::ExecuteResult& result, Cycle stalled, Cycle now) const {
  const dependence::IssueCycles cycles = issue_cycles(params_.issue);
  int taken = static_cast<int>(stalled - now);
  if (result.branched) taken = branch_cycles(taken, cycles);
  if (info.jumps_through_registers) taken = std::max(taken, params_.issue.indirect_branch_latency);
  // The lanes that jump elsewhere execute it again. Where lanes part and go on without a jump, the extra cycles end no
  // sooner than a branch that all take.
  if (info.jumps_through_registers && result.converges) taken += params_.issue.taken_branch_latency;
  if (result.converges) taken = branch_cycles(taken + params_.issue.convergence_cycles, cycles);
  return now + static_cast<Cycle>(taken);
}

/// Time that the warp spends in a function of the driver.
Cycle IssueDelay::driver_cycles(const isa::ExecuteResult& result) {
  const int further = __builtin_popcount(result.driver_lanes) - 1;
  const DriverParams& driver = params_.driver;
  const auto number = static_cast<std::size_t>(result.driver_function);
  const bool first = !driver_called_.test(number);
  driver_called_.set(number);
  const auto cycles = [&](int one, int more) {
    return static_cast<Cycle>(one + more * further + (first ? driver.first_call_cycles : 0));
  };
  switch (result.driver_function) {
    case isa::DriverFunction::kPrintf:
      return cycles(driver.printf_cycles, driver.printf_lane_cycles) +
             static_cast<Cycle>(result.driver_characters) * static_cast<Cycle>(driver.printf_character_cycles);
    case isa::DriverFunction::kMalloc: return cycles(driver.malloc_cycles, driver.malloc_lane_cycles);
    case isa::DriverFunction::kFree: return cycles(driver.free_cycles, driver.free_lane_cycles);
    default: return 0;
  }
}

}  // namespace stc::sm
