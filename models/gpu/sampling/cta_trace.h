// SPDX-License-Identifier: Apache-2.0
// When the first warp of a simulated CTA went round the loop.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::gpu {

struct CtaTrace {
  std::uint64_t cta = 0;
  int sm = 0;
  std::vector<std::uint64_t> before;  ///< cycles of its passes up to the jump
  std::vector<std::uint64_t> after;   ///< and of those after it
  bool jumped = false;
  bool lines_left = false;  ///< L2 has not been told what was jumped over

  /// Cycles that passes `from` to `to` (of those before the jump, from 1) took, each.
  double pace(std::uint32_t from, std::uint32_t to) const {
    return static_cast<double>(before[to - 1] - before[from - 1]) / (to - from);
  }
  /// The same of those after it.
  double pace_after(std::uint32_t from, std::uint32_t to) const {
    return static_cast<double>(after[to - 1] - after[from - 1]) / (to - from);
  }
};

}  // namespace stc::gpu
