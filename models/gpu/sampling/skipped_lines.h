// SPDX-License-Identifier: Apache-2.0
// Tells L2 of the lines that CTAs, or parts of them, touch which are not simulated: the tags are then as if they had
// been.
#pragma once

#include <optional>
#include <vector>

#include "models/gpu/sampling/cta_touches.h"
#include "models/gpu/sampling/cta_trace.h"
#include "models/memory/memory_system.h"

namespace stc::gpu {

/// CTAs that are on the GPU together, and the L2 partition (number) of each one's SM.
struct Resident {
  std::uint64_t cta = 0;
  int partition = 0;
};

class SkippedLines {
 public:
  SkippedLines(const sm::LaunchContext& launch, const std::optional<KernelLoop>& loop, memory::MemorySystem& memory,
               int threads);

  /// Periods `first` to `last` of the loop's even part, of CTAs that go round it together.
  void pass_periods(const std::vector<Resident>& ctas, std::uint64_t first, std::uint64_t last);
  /// All that CTAs do which run at the same time.
  void pass_ctas(const std::vector<Resident>& ctas);

 private:
  CtaTouches together(const std::vector<Resident>& ctas);
  void pass(const std::vector<LineTouch>& touches, std::uint64_t times_before);

  const sm::LaunchContext& launch_;
  const std::optional<KernelLoop>& loop_;
  memory::MemorySystem& memory_;
  const int threads_;
};

}  // namespace stc::gpu
