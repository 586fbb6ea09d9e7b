// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says how far a long computation is:
//
//   launch 2/3 [####......] 432 of 1024 CTAs, 123,456 cycles, 12,400/s, 35 s to go, f16_dense_128x128x64_w64x32_s3
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace stc::sim {

/// How far it is. What is empty is left out.
struct Progress {
  std::string step;  ///< "launch 2/3"
  std::uint64_t done = 0, all = 0;
  std::string unit;     ///< of which there are `all`
  double fraction = 0;  ///< of the work that is done: units may cost differently
  std::optional<std::uint64_t> cycles;
  std::uint64_t failed = 0;
  std::string title;
};

/// The line, cut to `columns`. `seconds` have passed; `to_go` is an estimate of those that will, none: unknown.
std::string progress_text(const Progress& progress, double seconds, std::optional<double> to_go, std::size_t columns);

/// "35 s", "3 min", "1.5 h"; "?" for none.
std::string duration_text(std::optional<double> seconds);

/// Where a line is drawn and by which clock. Tests have their own.
struct ProgressScreen {
  std::function<double()> seconds;  ///< of a clock that never goes back
  std::function<std::size_t()> columns;
  std::function<void(const std::string&)> write;  ///< empty: nothing is drawn
  /// Standard error when it is a terminal, else nothing.
  static ProgressScreen standard_error();
};

class ProgressLine {
 public:
  explicit ProgressLine(ProgressScreen screen = ProgressScreen::standard_error());
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool shown() const { return static_cast<bool>(screen_.write); }
  /// Redraws at most five times a second, and not in the first half second.
  void update(const Progress& progress);
  void clear();
  /// Estimate of the seconds to come; none: unknown.
  std::optional<double> to_go() const;

 private:
  ProgressScreen screen_;
  double start_, next_;
  bool drawn_ = false;
  double fraction_ = 0, reached_at_ = 0;  ///< the last step forward, and when it came
};

/// The line of pieces of work whose costs, in any unit, are known beforehand.
class WorkProgress {
 public:
  /// `unit`: of what there are `all`.
  WorkProgress(const std::string& unit, std::size_t all, double all_cost);
  void finished(double cost, bool failed = false);
  void draw() { line_.update(progress_); }
  bool shown() const { return line_.shown(); }
  /// "12 of 40 points".
  std::string reached() const;
  /// "3 min", "?".
  std::string to_go() const;

 private:
  Progress progress_;
  double all_cost_, done_cost_ = 0;
  ProgressLine line_;
};

}  // namespace stc::sim
