// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "sim/base/streams.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr int kBarWidth = 30;

std::string duration_text(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 6000) return fmt::format("{} min", (whole + 30) / 60);
  return fmt::format("{:.1f} h", static_cast<double>(whole) / 3600);
}

}  // namespace

SweepProgress::SweepProgress(const SweepPlan& plan, const std::deque<std::size_t>& missing, std::size_t reused,
                             int workers)
    : plan_(plan), all_(missing.size()), terminal_(::isatty(STDERR_FILENO) != 0) {
  for (const std::size_t point : missing) all_cost_ += plan.points[point].cost;
  say(fmt::format("{}: {} points to run on {} workers{}\n", plan.sweep.file, all_, workers,
                  reused == 0 ? "" : fmt::format(", {} known from before", reused)));
}

SweepProgress::~SweepProgress() {
  if (drawn_) say("\r\033[K");
}

std::string SweepProgress::estimate() const {
  if (done_cost_ <= 0) return "?";
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return duration_text(seconds * (all_cost_ / done_cost_ - 1.0));
}

void SweepProgress::draw() {
  if (!terminal_) return;
  drawn_ = true;
  const double fraction = all_cost_ > 0 ? done_cost_ / all_cost_ : 1.0;
  const auto filled = static_cast<std::size_t>(fraction * kBarWidth);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  say(fmt::format("\r\033[K[{}{}] {} of {} points, {} gone, about {} to go", std::string(filled, '#'),
                  std::string(kBarWidth - filled, '.'), done_, all_, duration_text(seconds), estimate()));
}

void SweepProgress::finished(std::size_t point, const PointResult& result) {
  ++done_;
  done_cost_ += plan_.points[point].cost;
  if (terminal_) return;
  const std::string outcome =
      result.ok() ? fmt::format("{} cycles", grouped(result.cycles)) : fmt::format("failed: {}", result.failure);
  say(fmt::format("{}/{} {}: {}, about {} to go\n", done_, all_, plan_.points[point].name, outcome, estimate()));
}

}  // namespace stc::sim
