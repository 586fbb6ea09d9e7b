// SPDX-License-Identifier: Apache-2.0
// Models:   what LDC pays beyond its latency: words that the lanes name one after the other, and first accesses.
// Evidence: micro_constant on an H200: 53 cycles a pass, 11 more for each further word, 283 more for the first access
//           to 256 bytes (336 cycles), 711 more when L2 was emptied (764 to 774).
// Abstracts: the first 2 KiB that answer 70 cycles sooner than the rest; what lies beyond the 64 KiB of a bank; what
//           several SMs ask L2 for.
// Timing:   the first access of an SM to a line makes later ones wait until it is here. The lines of the driver's
//           values and of the first parameters come with the launch. A warp whose operand is not here waits behind the
//           instruction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "models/isa/values/execute.h"
#include "models/sm/coalescer.h"
#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class ConstantCache {
 public:
  explicit ConstantCache(const IssueParams& params) : params_(params) {}

  /// Nothing is here. `emptied`: a launch after all caches were emptied.
  void reset(bool emptied) {
    miss_ = static_cast<Cycle>(emptied ? params_.constant_memory_latency : params_.constant_miss_latency);
    arrives_.clear();
  }
  /// Cycles that `instruction`, just executed at `now`, takes beyond its latency; 0 where it is no LDC.
  Cycle delay(const isa::Instruction& instruction, const isa::ExecuteResult& result, Cycle now) {
    if (instruction.opcode != isa::Opcode::kLdc || result.access_lanes == 0) return 0;
    const int words = distinct_addresses(result.address.data(), result.access_lanes);
    Cycle here = now;
    for (isa::LaneMask m = result.access_lanes; m != 0; m &= m - 1) {
      const std::uint64_t offset = result.address[static_cast<std::size_t>(__builtin_ctz(m))];
      const std::int32_t line = constant_line(instruction.b.bank, static_cast<std::uint32_t>(offset));
      if (line >= 0) here = std::max(here, arrival(static_cast<std::uint64_t>(line), now));
    }
    return here - now + static_cast<Cycle>((words - 1) * params_.constant_word_cycles);
  }
  /// When a line is here that is asked for at `now`.
  Cycle arrival(std::uint64_t line, Cycle now) {
    return std::max(now, arrives_.emplace(line, now + miss_).first->second);
  }

 private:
  const IssueParams params_;
  Cycle miss_ = 0;
  std::unordered_map<std::uint64_t, Cycle> arrives_;
};

}  // namespace stc::sm
