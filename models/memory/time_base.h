// SPDX-License-Identifier: Apache-2.0
// SystemC time of the model: one SM cycle is one SystemC nanosecond, whatever the clock of the modelled chip.
// Resources outside the SMs work in ticks of a thousandth of a cycle (SystemC's picosecond), so that a port of
// 35.5 bytes per cycle needs no rounding to whole cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>

namespace stc::memory {

using Tick = std::uint64_t;
constexpr Tick kTicksPerCycle = 1000;

inline sc_core::sc_time to_time(Tick ticks) { return sc_core::sc_time::from_value(ticks); }
inline Tick to_ticks(const sc_core::sc_time& time) { return time.value(); }
inline Tick cycles_to_ticks(double cycles) { return static_cast<Tick>(cycles * kTicksPerCycle + 0.5); }

/// A resource that serves one transfer after the other at a fixed rate: a port, a link, a channel.
///
///   Server port(64.0);                       // bytes per cycle
///   Tick waited = port.reserve(now, 128);    // takes the next 2 cycles that are free; returns the queueing delay
class Server {
 public:
  Server() = default;
  explicit Server(double units_per_cycle) : ticks_per_unit_(static_cast<double>(kTicksPerCycle) / units_per_cycle) {}

  Tick reserve(Tick now, double units) {
    const Tick start = std::max(now, free_);
    const auto service = static_cast<Tick>(units * ticks_per_unit_ + 0.5);
    free_ = start + service;
    busy_ += service;
    return start - now;
  }
  Tick busy_ticks() const { return busy_; }
  void reset() { free_ = busy_ = 0; }

 private:
  double ticks_per_unit_ = 1.0;
  Tick free_ = 0;
  Tick busy_ = 0;
};

}  // namespace stc::memory
