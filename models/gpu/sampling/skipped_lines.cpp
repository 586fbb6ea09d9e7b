// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/skipped_lines.h"

#include <exception>

#include "models/gpu/worker_team.h"

namespace stc::gpu {

SkippedLines::SkippedLines(const sm::LaunchContext& launch, const std::optional<KernelLoop>& loop,
                           memory::MemorySystem& memory, int threads)
    : launch_(launch), loop_(loop), memory_(memory), threads_(threads) {}

CtaTouches SkippedLines::together(const std::vector<Resident>& ctas) {
  const auto parts = static_cast<std::size_t>(threads_);
  std::vector<CtaTouches> found(parts);
  std::vector<std::exception_ptr> faults(parts);
  const auto walk_some = [&](int part) {
    const auto mine = static_cast<std::size_t>(part);
    try {
      CtaWalk walk(launch_);
      for (std::size_t i = mine; i < ctas.size(); i += parts) {
        found[mine].add(touches_of(walk, ctas[i].cta, loop_, static_cast<std::uint8_t>(1 << ctas[i].partition)));
      }
    } catch (...) {
      faults[mine] = std::current_exception();
    }
  };
  WorkerTeam(threads_).run(walk_some);
  CtaTouches all;
  for (std::size_t part = 0; part < parts; ++part) {
    if (faults[part]) std::rethrow_exception(faults[part]);
    all.add(found[part]);
  }
  all.merge();
  return all;
}

void SkippedLines::pass(const std::vector<LineTouch>& touches, std::uint64_t times_before) {
  for (const LineTouch& touch : touches) {
    const std::uint64_t line = touch.line + static_cast<std::uint64_t>(touch.step) * times_before;
    if (touch.write) {
      memory_.pass_write(line, touch.sectors, touch.role, touch.partitions);
    } else {
      memory_.pass_read(line, touch.sectors, touch.role, touch.whole_line, touch.partitions);
    }
  }
}

void SkippedLines::pass_periods(const std::vector<Resident>& ctas, std::uint64_t first, std::uint64_t last) {
  const CtaTouches touches = together(ctas);
  for (std::uint64_t period = first; period < last; ++period) pass(touches.period, period);
}

void SkippedLines::pass_ctas(const std::vector<Resident>& ctas) {
  const CtaTouches touches = together(ctas);
  pass(touches.before, 0);
  const std::uint64_t periods = loop_ ? (loop_->last - loop_->first) / loop_->period : 0;
  for (std::uint64_t period = 0; period < periods; ++period) pass(touches.period, period);
  pass(touches.after, 0);
}

}  // namespace stc::gpu
