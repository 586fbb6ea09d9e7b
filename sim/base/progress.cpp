// SPDX-License-Identifier: Apache-2.0
#include "sim/base/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/base/streams.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr double kFirstAfter = 0.5;  // seconds
constexpr double kRedrawAfter = 0.2;
constexpr std::size_t kWide = 110;  // columns that a long bar leaves room in
constexpr std::size_t kRoomForTitle = 24;
constexpr std::size_t kLeastColumns = 20;
constexpr std::size_t kUsualColumns = 80;

std::string bar(double fraction, std::size_t width) {
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width));
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::size_t columns_of_terminal() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return std::max<std::size_t>(size.ws_col, kLeastColumns);
}

/// Names of kernels may hold anything; a terminal obeys some of it.
std::string printable(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
  }
  return text;
}

}  // namespace

std::string duration_text(std::optional<double> seconds) {
  if (!seconds) return "?";
  const auto whole = std::lround(*seconds);
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 6000) return fmt::format("{} min", (whole + 30) / 60);
  return fmt::format("{:.1f} h", static_cast<double>(whole) / 3600);
}

std::string progress_text(const Progress& progress, double seconds, std::optional<double> to_go, std::size_t columns) {
  std::string text = progress.step.empty() ? "" : progress.step + " ";
  text += fmt::format("{} {} of {} {}", bar(progress.fraction, columns < kWide ? 10 : 30), progress.done, progress.all,
                      progress.unit);
  if (progress.cycles) {
    text += fmt::format(", {} cycles", grouped(*progress.cycles));
    if (seconds > 0)
      text += fmt::format(", {}/s", grouped(std::llround(static_cast<double>(*progress.cycles) / seconds)));
  }
  text += fmt::format(", {} to go", duration_text(to_go));
  if (progress.failed != 0) text += fmt::format(", {} failed", progress.failed);
  if (!progress.title.empty() && text.size() + kRoomForTitle < columns) text += ", " + printable(progress.title);
  return text.substr(0, columns - 1);  // in the last column a terminal would begin another line
}

ProgressScreen ProgressScreen::standard_error() {
  ProgressScreen screen;
  screen.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  screen.columns = columns_of_terminal;
  if (::isatty(STDERR_FILENO) != 0) screen.write = say;
  return screen;
}

ProgressLine::ProgressLine(ProgressScreen screen)
    : screen_(std::move(screen)), start_(screen_.seconds()), next_(start_ + kFirstAfter) {}

void ProgressLine::update(const Progress& progress) {
  const double now = screen_.seconds();
  if (progress.fraction > fraction_) {
    fraction_ = progress.fraction;
    reached_at_ = now;
  }
  if (!shown() || now < next_) return;
  next_ = now + kRedrawAfter;
  drawn_ = true;
  screen_.write("\r\033[K" + progress_text(progress, now - start_, to_go(), screen_.columns()));
}

/// Units of one wave end together: until the next do, the estimate is the one that the last gave.
std::optional<double> ProgressLine::to_go() const {
  if (fraction_ <= 0) return std::nullopt;
  return std::max(0.0, (reached_at_ - start_) / fraction_ - (screen_.seconds() - start_));
}

void ProgressLine::clear() {
  if (drawn_) screen_.write("\r\033[K");
  drawn_ = false;
}

WorkProgress::WorkProgress(const std::string& unit, std::size_t all, double all_cost) : all_cost_(all_cost) {
  progress_.unit = unit;
  progress_.all = all;
}

void WorkProgress::finished(double cost, bool failed) {
  ++progress_.done;
  progress_.failed += failed ? 1U : 0U;
  done_cost_ += cost;
  progress_.fraction = all_cost_ > 0 ? done_cost_ / all_cost_ : 1.0;
  line_.update(progress_);
}

std::string WorkProgress::to_go() const { return duration_text(line_.to_go()); }

std::string WorkProgress::reached() const {
  return fmt::format("{} of {} {}", progress_.done, progress_.all, progress_.unit);
}

}  // namespace stc::sim
