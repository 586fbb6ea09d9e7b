// SPDX-License-Identifier: Apache-2.0
// A first-in first-out queue that keeps its room: no allocation once it has been as long as it gets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stc::sm {

template <class T>
class RingQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return room_[first_]; }
  const T& front() const { return room_[first_]; }
  T& back() { return (*this)[size_ - 1]; }
  /// `number` 0 is the front.
  T& operator[](std::size_t number) { return room_[place_of(number)]; }
  const T& operator[](std::size_t number) const { return room_[place_of(number)]; }

  void push_back(T value) {
    if (size_ == room_.size()) grow();
    room_[place_of(size_++)] = std::move(value);
  }
  void pop_front() {
    first_ = place_of(1);
    --size_;
  }

 private:
  // The room's size is a power of two.
  std::size_t place_of(std::size_t number) const { return (first_ + number) & (room_.size() - 1); }
  void grow() {
    std::rotate(room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(first_), room_.end());
    first_ = 0;
    room_.resize(std::max<std::size_t>(4, 2 * room_.size()));
  }

  std::vector<T> room_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace stc::sm
