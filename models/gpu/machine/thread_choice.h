// SPDX-License-Identifier: Apache-2.0
// Whether work is faster shared among threads or done by one, found by trying both again and again: on a computer that
// others use as well, threads that wait for each other every few microseconds may cost more than they bring.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>

namespace stc::gpu {

class ThreadChoice {
 public:
  using Time = std::chrono::nanoseconds;
  static constexpr Time kTrial = std::chrono::milliseconds(2);   ///< how long the other way is tried
  static constexpr Time kStay = std::chrono::milliseconds(100);  ///< how long the better way is kept
  static constexpr int kMostDoublings = 4;                       ///< of that, while trials fail

  /// What is to be done now.
  bool shared() const { return shared_; }
  /// `work` units of it took `time`.
  void took(int work, Time time) {
    work_ += work;
    time_ += time;
    if (time_ < (trial_ ? kTrial : kStay)) return;
    rate_[shared_ ? 1 : 0] = static_cast<double>(work_) / static_cast<double>(time_.count());
    work_ = 0;
    time_ = Time(0);
    const double other = rate_[shared_ ? 0 : 1];
    if (trial_ && other > 0) {
      decide();
    } else if (trial_ || --stays_ <= 0 || rate_[shared_ ? 1 : 0] < other) {
      trial_ = true;
      shared_ = !shared_;
    }
  }

 private:
  void decide() {
    const bool better = rate_[1] > rate_[0];
    doublings_ = better == shared_ ? 0 : std::min(doublings_ + 1, kMostDoublings);
    shared_ = better;
    trial_ = false;
    stays_ = 1 << doublings_;
  }

  bool shared_ = false;  // one is tried first
  bool trial_ = true;
  int doublings_ = 0;
  int stays_ = 0;  // of the better way, before the other is tried again
  long work_ = 0;
  Time time_{0};
  std::array<double, 2> rate_{};  // units a nanosecond: by one, shared
};

}  // namespace stc::gpu
