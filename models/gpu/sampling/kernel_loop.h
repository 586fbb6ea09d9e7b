// SPDX-License-Identifier: Apache-2.0
// The loop in which a kernel's warps spend their time, if it goes round evenly: the same instructions again and again,
// registers and addresses that move on by the same amounts. Then a warp can be put some rounds further.
//
// Found by walking CTAs (CtaWalk) with nothing assumed of the code: the branch back that spans the most instructions is
// the loop's; its period is the least number of passes after which every instruction comes again and no register, nor
// any line that is touched, moves by another amount than before. Data (DataFlow) are left out: nothing depends on them.
// That a warp which is put further stands where it would have come to is compared with walking it, for each warp of
// each CTA that was walked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/sm/launch_context.h"

namespace stc::gpu {

/// What a period changes of a warp.
struct WarpStep {
  struct Register {
    std::uint16_t index = 0;
    isa::Vector by{};
    bool operator==(const Register& o) const { return index == o.index && by == o.by; }
  };
  std::vector<Register> general;
  std::array<std::uint32_t, 64> uniform{};
  std::vector<std::int64_t> lines;  ///< of what it touches, in order: lines further
  bool operator==(const WarpStep& o) const { return general == o.general && uniform == o.uniform && lines == o.lines; }
};

struct KernelLoop {
  std::uint32_t branch = 0;           ///< address of the branch back
  std::uint32_t passes = 0;           ///< times that every warp takes it
  std::uint32_t period = 0;           ///< passes
  std::uint32_t first = 0, last = 0;  ///< passes between which it goes evenly
  std::vector<WarpStep> steps;        ///< per warp of the CTA
  double instructions_per_pass = 0;   ///< of a warp, on average over those of a CTA
  std::size_t ctas_walked = 0;        ///< that all of this was seen in

  /// Puts `warp`, which stands at the loop's first instruction, so many periods further.
  void advance(isa::WarpState& warp, std::uint64_t periods) const;
};

/// Walks `ctas` of `launch`. Throws SamplingRefused when they are not alike or data decide what they do; none: there is
/// no loop that is worth looking at.
std::optional<KernelLoop> find_loop(const sm::LaunchContext& launch, const std::vector<std::uint64_t>& ctas);

}  // namespace stc::gpu
