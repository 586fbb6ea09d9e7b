// SPDX-License-Identifier: Apache-2.0
// A part of the memory system to which a probe may listen.
#pragma once

#include <cstdint>

#include "models/core/probe.h"
#include "models/core/time_base.h"

namespace stc::memory {

class Observed {
 public:
  /// `probe` is told of accesses from now on, cycles from `origin`; null: nobody is.
  void observe(Probe* probe, std::uint64_t origin) {
    probe_ = probe;
    origin_ = origin;
  }

 protected:
  /// Null: nobody listens.
  Probe* probe() const { return probe_; }
  std::uint64_t observed_cycle(Tick now) const { return now / kTicksPerCycle - origin_; }

 private:
  Probe* probe_ = nullptr;
  std::uint64_t origin_ = 0;
};

}  // namespace stc::memory
