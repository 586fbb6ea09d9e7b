// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/skipped_lines.h"

#include <exception>
#include <utility>

#include "models/gpu/worker_team.h"

namespace stc::gpu {

SkippedLines::SkippedLines(const sm::LaunchContext& launch, const std::optional<KernelLoop>& loop,
                           memory::MemorySystem& memory, int threads)
    : launch_(launch), slice_(*launch.kernel), loop_(loop), memory_(memory), threads_(threads) {}

const CtaTouches& SkippedLines::together(const std::vector<Resident>& ctas) {
  if (ctas == last_) return touches_of_last_;
  const auto parts = static_cast<std::size_t>(threads_);
  std::vector<CtaTouches> found(ctas.size());
  std::vector<std::exception_ptr> faults(parts);
  const auto walk_some = [&](int part) {
    const auto mine = static_cast<std::size_t>(part);
    try {
      CtaWalk walk(launch_);
      for (std::size_t i = mine; i < ctas.size(); i += parts) {
        found[i] = touches_of(walk, slice_, ctas[i].cta, loop_, static_cast<std::uint8_t>(1 << ctas[i].partition));
      }
    } catch (...) {
      faults[mine] = std::current_exception();
    }
  };
  WorkerTeam(threads_).run(walk_some);
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
  CtaTouches all;
  for (const CtaTouches& of_cta : found) all.add(of_cta);
  all.merge();
  last_ = ctas;
  return touches_of_last_ = std::move(all);
}

void SkippedLines::pass(const std::vector<LineTouch>& touches, std::uint64_t times_before, std::uint64_t to_come) {
  // Ahead of the access for the processor to bring the tags, and the line.
  constexpr std::size_t kTagsAhead = 24, kLineAhead = 8;
  const bool part = to_come >= kFills * memory_.l2_lines();
  passing_.clear();
  for (const LineTouch& touch : touches) {
    const std::uint64_t line = touch.line + static_cast<std::uint64_t>(touch.step) * times_before;
    if (!part || touch.write || memory_.l2_set(line) % kParts == 0) passing_.push_back({line, &touch});
  }
  for (std::size_t i = 0; i < passing_.size(); ++i) {
    if (i + kTagsAhead < passing_.size()) memory_.expect_pass(passing_[i + kTagsAhead].line, false);
    if (i + kLineAhead < passing_.size()) memory_.expect_pass(passing_[i + kLineAhead].line, true);
    const LineTouch& touch = *passing_[i].touch;
    if (touch.write) {
      memory_.pass_write(passing_[i].line, touch.sectors, touch.role, touch.partitions);
    } else {
      memory_.pass_read(passing_[i].line, touch.sectors, touch.role, touch.whole_line, touch.partitions,
                        part ? kParts : 1);
    }
  }
}

void SkippedLines::pass_periods(const std::vector<Resident>& ctas, std::uint64_t first, std::uint64_t last) {
  const CtaTouches& touches = together(ctas);
  for (std::uint64_t period = first; period < last; ++period) {
    pass(touches.period, period, (last - period) * touches.period.size());
  }
}

void SkippedLines::pass_ctas(const std::vector<Resident>& ctas, std::uint64_t later) {
  const CtaTouches& touches = together(ctas);
  const std::uint64_t periods = loop_ ? (loop_->last - loop_->first) / loop_->period : 0;
  const std::uint64_t all = touches.before.size() + periods * touches.period.size() + touches.after.size();
  const std::uint64_t behind = all * later / ctas.size();
  pass(touches.before, 0, all + behind);
  for (std::uint64_t period = 0; period < periods; ++period) {
    pass(touches.period, period, (periods - period) * touches.period.size() + touches.after.size() + behind);
  }
  pass(touches.after, 0, touches.after.size() + behind);
}

}  // namespace stc::gpu
