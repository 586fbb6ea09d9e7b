// SPDX-License-Identifier: Apache-2.0
// One line on standard error that says how far a long computation is. Silent unless that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stc::sim {

class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Redraws at most five times a second, and not in the first half second.
  void update(std::uint64_t done, std::uint64_t all, std::uint64_t cycles);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace stc::sim
