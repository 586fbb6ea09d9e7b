// SPDX-License-Identifier: Apache-2.0
// Models:   what LDC pays beyond its latency: words that the lanes name one after the other, lines that the near cache
//           of the sub-core (2 KiB, four ways) does not hold, and first accesses of the SM.
// Evidence: micro_constant on an H200: 53 cycles a pass, 11 more for each further word, 71 more for 64 bytes that are
//           not in the near cache (4 KiB in turn; 16 lines 256 bytes apart, of which 8 fit), 283 more for the first
//           access to 256 bytes (336 cycles), 711 more when L2 was emptied (764 to 774). Lanes that name words of 16
//           such lines pay for one after the other (1352 cycles); four warps in four sub-cores take what one takes.
// Abstracts: what lies beyond the 64 KiB of a bank; what several SMs ask L2 for; the near cache of operands c[][].
// Timing:   the first access of an SM to a line makes later ones wait until it is here. The lines of the driver's
//           values and of the first parameters come with the launch, which leaves the other parameters in L2. A warp
//           whose operand is not here waits behind the instruction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/isa/values/execute.h"
#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class ConstantCache {
 public:
  explicit ConstantCache(const IssueParams& params) : params_(params) {}

  /// Nothing is here. `emptied`: a launch after all caches were emptied.
  void reset(bool emptied) {
    miss_ = static_cast<Cycle>(params_.constant_miss_latency);
    memory_miss_ = static_cast<Cycle>(emptied ? params_.constant_memory_latency : params_.constant_miss_latency);
    arrives_.clear();
    near_.clear();
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
      const auto offset = static_cast<std::uint32_t>(word);
      const std::int32_t line = constant_line(instruction.b.bank, offset);
      if (line < 0 || !enters_near(sub_core, instruction.b.bank << 26U | offset / kNearLine)) continue;
      const Cycle far = arrival(static_cast<std::uint64_t>(line), here);
      here = far != here ? far : here + static_cast<Cycle>(params_.constant_near_miss_cycles);
    }
    return here - now + static_cast<Cycle>((words - 1) * params_.constant_word_cycles);
  }
  /// When a line is here that is asked for at `now`.
  Cycle arrival(std::uint64_t line, Cycle now) {
    const bool of_launch = line < kConstantBankBytes / kConstantLineBytes;  // bank 0
    return std::max(now, arrives_.emplace(line, now + (of_launch ? miss_ : memory_miss_)).first->second);
  }

 private:
  static constexpr std::uint32_t kNearLine = 64, kNearWays = 4;

  static isa::LaneMask lanes_at(std::uint64_t address, const std::uint64_t* addresses, isa::LaneMask among) {
    isa::LaneMask lanes = 0;
    for (isa::LaneMask m = among; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (addresses[lane] == address) lanes |= isa::LaneMask{1} << lane;
    }
    return lanes;
  }

  /// Makes a line the last one used of its set in the near cache. Returns whether it was not there.
  bool enters_near(int sub_core, std::uint32_t line) {
    const auto sets = std::max(1U, static_cast<std::uint32_t>(params_.constant_near_bytes) / kNearLine / kNearWays);
    const std::size_t number = static_cast<std::size_t>(sub_core) * sets + line % sets;
    if (number >= near_.size()) near_.resize(number + 1);
    std::vector<std::uint32_t>& set = near_[number];
    const auto place = std::find(set.begin(), set.end(), line);
    const bool is_new = place == set.end();
    if (!is_new || set.size() == kNearWays) set.erase(is_new ? set.begin() : place);
    set.push_back(line);
    return is_new;
  }

  const IssueParams params_;
  Cycle miss_ = 0, memory_miss_ = 0;
  std::unordered_map<std::uint64_t, Cycle> arrives_;  // of 256 bytes each
  std::vector<std::vector<std::uint32_t>> near_;      // sets of each sub-core: lines, the last one used at the end
};

}  // namespace stc::sm
