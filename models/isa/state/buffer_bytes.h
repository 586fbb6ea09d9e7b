// SPDX-License-Identifier: Apache-2.0
// The bytes of a buffer of global memory: those of a vector, or zeros that take the host's memory page by page as they
// are written. Runs that compute no values write few of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace stc::isa {

/// Their number does not change. Nothing is left in one that was moved from.
class BufferBytes {
 public:
  BufferBytes() = default;
  BufferBytes(std::vector<std::uint8_t> bytes) : held_(std::move(bytes)), begin_(held_.data()), size_(held_.size()) {}
  /// Throws std::bad_alloc.
  static BufferBytes zeros(std::size_t count);
  /// BufferBytes, then zeros until there are `count`, no fewer than `first` has.
  static BufferBytes padded(std::vector<std::uint8_t> first, std::size_t count);

  BufferBytes(const BufferBytes& other) : BufferBytes(other.to_vector()) {}
  BufferBytes(BufferBytes&& other) noexcept { swap(other); }
  BufferBytes& operator=(const BufferBytes& other) { return *this = BufferBytes(other); }
  BufferBytes& operator=(BufferBytes&& other) noexcept {
    BufferBytes moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~BufferBytes() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint8_t* data() { return begin_; }
  const std::uint8_t* data() const { return begin_; }
  std::uint8_t* begin() { return begin_; }
  std::uint8_t* end() { return begin_ + size_; }
  const std::uint8_t* begin() const { return begin_; }
  const std::uint8_t* end() const { return begin_ + size_; }
  std::uint8_t& operator[](std::size_t i) { return begin_[i]; }
  const std::uint8_t& operator[](std::size_t i) const { return begin_[i]; }
  std::vector<std::uint8_t> to_vector() const { return {begin(), end()}; }
  friend bool operator==(const BufferBytes& a, const BufferBytes& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const BufferBytes& a, const BufferBytes& b) { return !(a == b); }

 private:
  struct Free {
    std::size_t mapped;  ///< 0: the block is of the heap
    void operator()(std::uint8_t* bytes) const;
  };
  void swap(BufferBytes& other) noexcept;

  std::vector<std::uint8_t> held_;
  std::unique_ptr<std::uint8_t[], Free> zeros_;
  std::uint8_t* begin_ = nullptr;  // in one or the other
  std::size_t size_ = 0;
};

}  // namespace stc::isa
