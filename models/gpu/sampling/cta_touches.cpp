// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/cta_touches.h"

#include <fmt/format.h>

#include <cassert>

#include "models/gpu/sampling/sampling_refused.h"

namespace stc::gpu {
namespace {

/// One warp of a CTA that is walked.
class WarpTouches {
 public:
  WarpTouches(CtaWalk& walk, const AddressSlice& slice, int warp, const std::optional<KernelLoop>& loop,
              CtaTouches& touches)
      : walk_(walk), slice_(slice), warp_(warp), loop_(loop ? &*loop : nullptr), touches_(touches) {}

  void run() {
    while (!walk_.warp(warp_).exited()) {
      walk_.pass_by(warp_, slice_);
      const isa::Instruction& instruction = walk_.next(warp_);
      const isa::ExecuteResult& result = walk_.step(warp_);
      add_touches(instruction, result, *into());
      if (loop_ == nullptr || instruction.address != loop_->branch) continue;
      if (went_back(instruction, walk_.warp(warp_), result)) end_pass();
    }
    if (loop_ == nullptr || passes_ == loop_->passes) return;
    throw SamplingRefused(
        fmt::format("warps do not all go round the loop at {:#06x} {} times", loop_->branch, loop_->passes));
  }

 private:
  std::vector<LineTouch>* into() {
    if (loop_ == nullptr || passes_ < loop_->first) return &touches_.before;
    return passes_ < loop_->first + loop_->period ? &touches_.period : &touches_.after;
  }

  void end_pass() {
    assert(loop_->period != 0);
    if (++passes_ == loop_->first) period_begins_ = touches_.period.size();
    if (passes_ != loop_->first + loop_->period) return;
    const std::vector<std::int64_t>& lines = loop_->steps[static_cast<std::size_t>(warp_)].lines;
    if (touches_.period.size() - period_begins_ != lines.size()) {
      throw SamplingRefused(fmt::format("CTAs do not touch as much in the loop at {:#06x}", loop_->branch));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) touches_.period[period_begins_ + i].step = lines[i];
    const std::uint64_t further = (loop_->last - loop_->first) / loop_->period - 1;
    loop_->advance(walk_.warp(warp_), further);
    passes_ += static_cast<std::uint32_t>(further) * loop_->period;
  }

  CtaWalk& walk_;
  const AddressSlice& slice_;
  const int warp_;
  const KernelLoop* const loop_;
  CtaTouches& touches_;
  std::uint32_t passes_ = 0;
  std::size_t period_begins_ = 0;
};

void append(std::vector<LineTouch>& to, const std::vector<LineTouch>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void CtaTouches::add(const CtaTouches& other) {
  append(before, other.before);
  append(period, other.period);
  append(after, other.after);
}

void CtaTouches::merge() {
  gpu::merge(before);
  gpu::merge(period);
  gpu::merge(after);
}

CtaTouches touches_of(CtaWalk& walk, const AddressSlice& slice, std::uint64_t cta,
                      const std::optional<KernelLoop>& loop, std::uint8_t partitions) {
  CtaTouches touches;
  walk.begin(cta);
  for (int warp = 0; warp < walk.warps(); ++warp) WarpTouches(walk, slice, warp, loop, touches).run();
  touches.merge();
  for (auto* part : {&touches.before, &touches.period, &touches.after}) {
    for (LineTouch& touch : *part) touch.partitions = partitions;
  }
  return touches;
}

}  // namespace stc::gpu
