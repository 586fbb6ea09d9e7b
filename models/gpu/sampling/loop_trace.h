// SPDX-License-Identifier: Apache-2.0
// What a warp does pass by pass of a loop, noted while it is walked from entry to exit. Pass number p ends when the
// warp takes the loop's branch back for the pth time.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "models/gpu/sampling/cta_walk.h"
#include "models/gpu/sampling/data_flow.h"
#include "models/gpu/sampling/kernel_loop.h"
#include "models/gpu/sampling/line_touches.h"

namespace stc::gpu {

/// A branch back of a warp.
struct BackBranch {
  std::uint64_t passes = 0;
  std::uint64_t first_at = 0, last_at = 0;  ///< instructions that the warp had executed
};
/// All of a warp, by address. Throws SamplingRefused when data steer it.
std::map<std::uint32_t, BackBranch> back_branches(CtaWalk& walk, int warp, const DataFlow& flow);

/// A stretch of passes that are alike.
struct EvenPart {
  WarpStep step;           ///< of a period
  std::uint32_t last = 0;  ///< pass with which it ends
};

class LoopTrace {
 public:
  /// Walks a warp. Throws SamplingRefused when data steer it.
  LoopTrace(CtaWalk& walk, int warp, const DataFlow& flow, std::uint32_t branch);

  std::uint32_t passes() const { return static_cast<std::uint32_t>(segments_.size()); }
  /// Whether passes after `first` repeat every `period`.
  std::optional<EvenPart> even_part(std::uint32_t first, std::uint32_t period) const;
  /// Whether the warp is `periods` after `first` where `step` puts it.
  bool arrives(std::uint32_t first, std::uint32_t period, std::uint64_t periods, const WarpStep& step) const;
  /// Instructions of the passes after `first` up to `last`.
  std::uint64_t instructions(std::uint32_t first, std::uint32_t last) const;

 private:
  /// Registers at the loop's first instruction.
  struct State {
    std::vector<isa::Vector> general;
    std::array<std::uint32_t, 64> uniform{};
    std::array<isa::LaneMask, 8> predicates{};
    std::array<bool, 8> uniform_predicates{};
    WarpData data;
  };
  struct Segment {
    std::uint64_t way = 0;  ///< a hash of instructions, lanes and sectors
    std::uint64_t instructions = 0;
    std::vector<LineTouch> touches;
  };
  void end_pass(Segment& segment, const isa::WarpState& warp, const WarpData& data);
  /// After `pass` passes; null: too far from both ends to be kept.
  const State* state(std::uint32_t pass) const;
  const Segment& after(std::uint32_t pass) const { return segments_[pass]; }
  static bool same_predicates(const State& a, const State& b);
  static WarpStep between(const State& from, const State& to);
  /// Lines by which `to` is further than `from`; none: it is not alike.
  static std::optional<std::vector<std::int64_t>> lines_between(const Segment& from, const Segment& to);

  std::vector<Segment> segments_;  // one per pass; that after the last pass is not kept
  std::deque<State> early_, late_;
};

}  // namespace stc::gpu
