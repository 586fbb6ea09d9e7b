// SPDX-License-Identifier: Apache-2.0
// Models:   what constants cost beyond the latency of the instruction: words that the lanes of LDC name one after the
//           other, lines that the near caches of the sub-core do not hold (2 KiB, four ways; one for LDC and one for
//           operands c[][] and ULDC), and first accesses of the SM.
// Evidence: micro_constant on an H200: 53 cycles a pass, 11 more for each further word, 71 more for 64 bytes that are
//           not in the near cache (4 KiB in turn; 16 lines 256 bytes apart, of which 8 fit), 283 more for the first
//           access to 256 bytes (336 cycles), 711 more when L2 was emptied (764 to 774). Lanes that name words of 16
//           such lines pay for one after the other (1352 cycles); four warps in four sub-cores take what one takes.
//           first_accesses.csv: ULDC takes 58 more in the same way; each near cache is empty when a kernel begins, and
//           its parameters are one such miss away.
// Abstracts: what lies beyond the 64 KiB of a bank; what several SMs ask L2 for; the index register of a ULDC
//           (the line of its offset counts); that the two SMs of a TPC, when all their
//           sub-cores miss at once, wait for one another.
// Timing:   the first access of an SM to a line makes later ones wait until it is here. Bank 0, the driver's values and
//           the parameters, comes with the launch. A warp whose operand is not here waits behind the instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/isa/values/execute.h"
#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

/// A cache of 64-byte lines of constants in each sub-core; four ways.
class NearConstants {
 public:
  NearConstants(int bytes, int sub_cores)
      : sets_(std::max(1U, static_cast<std::uint32_t>(bytes) / kConstantNearBytes / kWays)),
        lines_(sets_ * static_cast<std::size_t>(sub_cores)) {}

  void reset() { std::fill(lines_.begin(), lines_.end(), Set{}); }
  /// Makes a line the last one used of its set. Returns whether it was not there.
  bool enter(int sub_core, std::int32_t line) {
    Set& set = lines_[static_cast<std::size_t>(sub_core) * sets_ + static_cast<std::uint32_t>(line) % sets_];
    if (set.front() == line + 1) return false;
    const auto place = std::find(set.begin() + 1, set.end() - 1, line + 1);
    const bool is_new = *place != line + 1;
    std::move_backward(set.begin(), place, place + 1);
    set.front() = line + 1;
    return is_new;
  }

 private:
  static constexpr std::uint32_t kWays = 4;
  using Set = std::array<std::int32_t, kWays>;  // one more than each line, 0: none; the last one used first

  const std::uint32_t sets_;
  std::vector<Set> lines_;
};

class ConstantCache {
 public:
  ConstantCache(const IssueParams& params, int sub_cores)
      : params_(params),
        loaded_(params.constant_near_bytes, sub_cores),
        operands_(params.constant_near_bytes, sub_cores) {}

  /// Nothing is here. `emptied`: a launch after all caches were emptied.
  void reset(bool emptied) {
    miss_ = static_cast<Cycle>(emptied ? params_.constant_memory_latency : params_.constant_miss_latency);
    arrives_.clear();
    loaded_.reset();
    operands_.reset();
  }
  /// Cycles that `instruction`, just executed by a warp of `sub_core` at `now`, takes beyond its latency; 0 where it is
  /// no LDC.
  Cycle delay(const isa::Instruction& instruction, const isa::ExecuteResult& result, int sub_core, Cycle now) {
    if (instruction.opcode != isa::Opcode::kLdc || result.access_lanes == 0) return 0;
    Cycle here = now;
    int words = 0;
    for (isa::LaneMask rest = result.access_lanes; rest != 0; ++words) {
      const std::uint64_t word = result.address[static_cast<std::size_t>(__builtin_ctz(rest))];
      rest &= ~lanes_at(word, result.address.data(), rest);
      const std::int32_t line = constant_line(instruction.b.bank, static_cast<std::uint32_t>(word));
      here = arrival(loaded_, sub_core, line, here, params_.constant_near_miss_cycles);
    }
    return here - now + static_cast<Cycle>((words - 1) * params_.constant_word_cycles);
  }
  /// When the operand in `line` (constant_line) is here that a warp of `sub_core` names at `now`.
  Cycle operand_arrival(int sub_core, std::int32_t line, Cycle now) {
    return arrival(operands_, sub_core, line, now, params_.constant_operand_miss_cycles);
  }

 private:
  static constexpr std::int32_t kNearLines = kConstantLineBytes / kConstantNearBytes;

  static isa::LaneMask lanes_at(std::uint64_t address, const std::uint64_t* addresses, isa::LaneMask among) {
    isa::LaneMask lanes = 0;
    for (isa::LaneMask m = among; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (addresses[lane] == address) lanes |= isa::LaneMask{1} << lane;
    }
    return lanes;
  }

  Cycle arrival(NearConstants& near, int sub_core, std::int32_t line, Cycle now, int near_miss_cycles) {
    if (!near.enter(sub_core, line)) return now;
    const bool of_launch = line < static_cast<std::int32_t>(kConstantBankBytes / kConstantNearBytes);  // bank 0
    const Cycle far = of_launch ? now : arrives_.emplace(line / kNearLines, now + miss_).first->second;
    return far > now ? far : now + static_cast<Cycle>(near_miss_cycles);
  }

  const IssueParams params_;
  Cycle miss_ = 0;
  std::unordered_map<std::int32_t, Cycle> arrives_;  // of 256 bytes each
  NearConstants loaded_, operands_;
};

}  // namespace stc::sm
