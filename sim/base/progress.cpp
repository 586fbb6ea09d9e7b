// SPDX-License-Identifier: Apache-2.0
#include "sim/base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "sim/base/streams.h"
#include "sim/base/text.h"

namespace stc::sim {

ProgressLine::ProgressLine(std::string title)
    : title_(std::move(title)),
      enabled_(::isatty(STDERR_FILENO) != 0),
      next_(start_ + std::chrono::milliseconds(500)) {}

void ProgressLine::update(std::uint64_t done, std::uint64_t all, std::uint64_t cycles) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double fraction = all == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
  const std::string left = done == 0 ? "?" : fmt::format("{:.0f}", seconds / fraction - seconds);
  say(fmt::format("\r\033[K{}: {:.0f} % ({} of {} CTAs), {} cycles, {:.0f} s gone, {} s to go", title_, 100 * fraction,
                  done, all, grouped(cycles), seconds, left));
}

void ProgressLine::clear() {
  if (drawn_) say("\r\033[K");
  drawn_ = false;
}

}  // namespace stc::sim
