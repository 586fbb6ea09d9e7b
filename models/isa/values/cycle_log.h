// SPDX-License-Identifier: Apache-2.0
// What is noted in one cycle and dealt with when that is over, oldest first; its room is used again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stc::isa {

/// `T` has a `cycle`.
template <class T>
class CycleLog {
 public:
  bool empty() const { return first_ == size_; }
  /// The last note's; there is one.
  std::uint64_t last_cycle() const { return notes_[size_ - 1].cycle; }
  /// A note at `cycle`, not before the last one's, for the caller to fill in: it holds what an older one held.
  T& add(std::uint64_t cycle) {
    if (size_ == notes_.size()) make_room();
    T& note = notes_[size_++];
    note.cycle = cycle;
    return note;
  }
  /// Calls `deal` with the notes of `cycle`, the oldest, and forgets them.
  template <class Deal>
  void take(std::uint64_t cycle, Deal deal) {
    for (; !empty() && notes_[first_].cycle == cycle; ++first_) deal(notes_[first_]);
    if (empty()) clear();
  }
  void clear() { first_ = size_ = 0; }

 private:
  void make_room() {
    if (first_ <= size_ / 2) {
      notes_.resize(std::max<std::size_t>(8, 2 * size_));
      return;
    }
    std::move(notes_.begin() + static_cast<std::ptrdiff_t>(first_), notes_.end(), notes_.begin());
    size_ -= first_;
    first_ = 0;
  }

  std::vector<T> notes_;
  std::size_t first_ = 0;  // that is not forgotten
  std::size_t size_ = 0;
};

}  // namespace stc::isa
