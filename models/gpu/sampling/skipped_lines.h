// SPDX-License-Identifier: Apache-2.0
// Tells L2 of the lines that CTAs, or parts of them, touch which are not simulated: the tags are then as if they had
// been.
//
// What is read in the last kFills times that L2 is filled, and all that is written, goes to all sets. Of what was read
// before, nothing is left in L2 by then; it only counts what it brings from device memory, and one of kParts sets
// stands for all: lines go to sets by a hash.
#pragma once

#include <optional>
#include <vector>

#include "models/gpu/sampling/address_slice.h"
#include "models/gpu/sampling/cta_touches.h"
#include "models/gpu/sampling/cta_trace.h"
#include "models/memory/memory_system.h"

namespace stc::gpu {

/// CTAs that are on the GPU together, and the L2 partition (number) of each one's SM.
struct Resident {
  std::uint64_t cta = 0;
  int partition = 0;
  bool operator==(const Resident& o) const { return cta == o.cta && partition == o.partition; }
};

class SkippedLines {
 public:
  static constexpr std::uint64_t kParts = 8, kFills = 4;

  SkippedLines(const sm::LaunchContext& launch, const std::optional<KernelLoop>& loop, memory::MemorySystem& memory,
               int threads);

  /// Periods `first` to `last` of the loop's even part, of CTAs that go round it together.
  void pass_periods(const std::vector<Resident>& ctas, std::uint64_t first, std::uint64_t last);
  /// All that CTAs do which run at the same time; `later` others like them are passed next.
  void pass_ctas(const std::vector<Resident>& ctas, std::uint64_t later);

 private:
  /// One of `passing_`.
  struct Passing {
    std::uint64_t line = 0;
    const LineTouch* touch = nullptr;
  };

  const CtaTouches& together(const std::vector<Resident>& ctas);
  /// Touches, of lines `times_before` steps further, with so many others behind them.
  void pass(const std::vector<LineTouch>& touches, std::uint64_t times_before, std::uint64_t to_come);

  const sm::LaunchContext& launch_;
  const AddressSlice slice_;
  const std::optional<KernelLoop>& loop_;
  memory::MemorySystem& memory_;
  const int threads_;
  std::vector<Passing> passing_;
  // Who was asked for last, as CTAs are again that leave out several parts of their loop.
  std::vector<Resident> last_;
  CtaTouches touches_of_last_;
};

}  // namespace stc::gpu
