// SPDX-License-Identifier: Apache-2.0
// Models:   what keeps a warp from its next instruction beyond the compiler's stall count: branches, paths that part and
//           meet, NANOSLEEP, functions of the driver.
// Evidence: configs/gpus/*.yaml, sm.issue and sm.driver.
// Abstracts: what functions of the driver do inside.
// Timing:   see the parameters.
#pragma once

#include <bitset>
#include <cstdint>

#include "models/isa/values/execute.h"
#include "models/sm/issue_info.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class IssueDelay {
 public:
  explicit IssueDelay(const SmParams& params) : params_(params) {}
  void begin_launch() { driver_called_.reset(); }

  /// First cycle in which the warp may issue again behind an instruction, executed with `result` at `now`, whose stall
  /// count ends at `stalled`. `timer_ns`: the global timer now.
  Cycle next_issue(const IssueInfo& info, const isa::ExecuteResult& result, Cycle stalled, Cycle now,
                   std::uint64_t timer_ns, double clock_mhz) {
    const bool plain = !result.branched && !result.converges && result.driver_lanes == 0 && result.sleeps_until_ns == 0;
    return plain ? stalled : delayed(info, result, stalled, now, timer_ns, clock_mhz);
  }

 private:
  Cycle delayed(const IssueInfo& info, const isa::ExecuteResult& result, Cycle stalled, Cycle now,
                std::uint64_t timer_ns, double clock_mhz);
  Cycle branch_end(const IssueInfo& info, const isa::ExecuteResult& result, Cycle stalled, Cycle now) const;
  Cycle driver_cycles(const isa::ExecuteResult& result);

  const SmParams params_;
  std::bitset<8> driver_called_;  // by number of the function
};

}  // namespace stc::sm
