// SPDX-License-Identifier: Apache-2.0
// SystemC time of the model: one SM cycle is one SystemC nanosecond, whatever the clock of the modelled chip.
// Resources outside the SMs work in ticks of a thousandth of a cycle (SystemC's picosecond), so that a port of
// 35.5 bytes per cycle needs no rounding to whole cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>

namespace stc {

using Tick = std::uint64_t;
constexpr Tick kTicksPerCycle = 1000;

inline sc_core::sc_time to_time(Tick ticks) { return sc_core::sc_time::from_value(ticks); }
inline Tick to_ticks(const sc_core::sc_time& time) { return time.value(); }
/// Nearest whole number of a time that is not negative; a conversion costs less than a call of llround, and one to a
/// number with a sign less than one to a number without.
inline Tick nearest_tick(double ticks) {
  return static_cast<Tick>(static_cast<std::int64_t>(ticks + 0.5));  // NOLINT(bugprone-incorrect-roundings)
}
inline Tick cycles_to_ticks(double cycles) { return nearest_tick(cycles * kTicksPerCycle); }

/// SMs act within the first part of a cycle (in any order among each other); what serves all of them, the crossbar and
/// the CTA dispatcher, acts at this place of the cycle, when it knows everything that the SMs asked for.
constexpr Tick kArbitration = kTicksPerCycle / 2;

/// Time from now until the arbitration point of the current cycle.
inline sc_core::sc_time until_arbitration() {
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  return to_time(now / kTicksPerCycle * kTicksPerCycle + kArbitration - now);
}

/// A resource that serves one transfer after the other at a fixed rate: a port, a link, a slice, a channel.
///
///   Server port(64.0);                                  // bytes per cycle
///   const Tick waits = port.reserve(now, 128);          // takes the next 2 cycles that are free
///
/// Every server on a request's way is reserved at the time at which the crossbar serves the request, in that order, and
/// the request is held up by the longest of the queues: in a chain of queues the bottleneck's is the one that fills.
/// Reserving each server at its own, later time would leave gaps before slow requests that no other could use.
class Server {
 public:
  Server() = default;
  explicit Server(double units_per_cycle) : ticks_per_unit_(static_cast<double>(kTicksPerCycle) / units_per_cycle) {}

  /// Returns the time that the transfer waits before it begins.
  Tick reserve(Tick now, double units) { return occupy(now, time_of(units)); }
  /// The same of a transfer that takes so long.
  Tick occupy(Tick now, Tick time) {
    const Tick start = std::max(now, free_);
    free_ = start + time;
    return start - now;
  }
  Tick free_from() const { return free_; }
  /// It takes nothing more before `until`.
  void hold(Tick until) { free_ = std::max(free_, until); }
  Tick time_of(double units) const { return nearest_tick(units * ticks_per_unit_); }
  void reset() { free_ = 0; }

 private:
  double ticks_per_unit_ = 1.0;
  Tick free_ = 0;
};

}  // namespace stc
