// SPDX-License-Identifier: Apache-2.0
// What happened when in a launch: CTAs on all SMs, warps on some of them, use of the GPU's resources.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/core/statistics.h"
#include "sim/profile/utilisation.h"

namespace stc::sim {

/// The part of a run that a timeline shows.
struct TimelineChoice {
  std::uint64_t begin = 0;  ///< cycle of each launch
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::vector<int> sms = {0};        ///< whose warps are shown
  std::size_t most_spans = 400'000;  ///< of all launches together; some 40 MB of a file

  /// `window`: "FIRST-LAST" or empty; `sms`: "0,4-7" or empty. UserError when they cannot be had of this GPU.
  static TimelineChoice read(const std::string& window, const std::string& sms, int sms_of_gpu);
  bool sees(std::uint64_t cycle) const { return begin <= cycle && cycle < end; }
};

/// A warp spent the cycles [begin, end) so, at the instruction at `address`.
struct WarpSpan {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t cta = 0;
  std::uint32_t address = 0;
  std::uint16_t warp = 0;  ///< in its CTA
  std::uint8_t sub_core = 0;
  Stall reason = Stall::kIssued;
};

struct LaunchTimeline {
  std::string title;
  std::uint64_t cycles = 0, cycles_elapsed = 0;
  bool outside = false;  ///< it ends before the choice begins: nothing below is there
  TimelineChoice choice;
  std::vector<CtaRecord> ctas;               ///< of the window, in the order of their index
  std::vector<std::vector<WarpSpan>> spans;  ///< by SM of the choice, each in the order of time
  std::vector<std::uint64_t> seen_until;     ///< by SM: where its spans end for want of room; else the choice's end
  std::vector<std::string> mnemonics;        ///< of the kernel's instructions
  UtilisationSeries series;                  ///< of the window; its first bucket begins with it

  std::size_t span_count() const {
    std::size_t count = 0;
    for (const auto& of_sm : spans) count += of_sm.size();
    return count;
  }
};

}  // namespace stc::sim
