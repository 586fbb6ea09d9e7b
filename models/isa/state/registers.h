// SPDX-License-Identifier: Apache-2.0
// General registers of a warp: of each the numbers of its 32 lanes, or the first lane's and a pattern (lane_pattern.h)
// while whoever wrote it knew one. A register that is known so takes a sixteenth of the memory, of which all warps of a
// hundred SMs have more than a processor's caches hold. Who reads lanes finds lanes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/prefetch.h"
#include "models/isa/state/lane_pattern.h"

namespace stc::isa {

using Vector = std::array<std::uint32_t, kWarpSize>;  ///< one 32-bit register of all lanes

class Registers {
 public:
  static constexpr std::size_t kMost = 256;
  /// The number of the first lane and how others differ; null: that is not known.
  struct Known {
    const LanePattern* pattern = nullptr;
    std::uint32_t first = 0;
  };

  explicit Registers(std::size_t count) : lanes_(checked(count)), known_(count) {}
  std::size_t size() const { return known_.size(); }
  void assign(std::size_t count, const Vector& value) {
    lanes_.assign(checked(count), value);
    known_.assign(count, {});
    has_pattern_ = lacks_lanes_ = {};
  }
  /// Keeps those that there are.
  void resize(std::size_t count, const Vector& value = {}) {
    for (std::size_t i = count; i < size(); ++i) {
      has_pattern_.remove(i);
      lacks_lanes_.remove(i);
    }
    lanes_.resize(checked(count), value);
    known_.resize(count);
  }

  /// Lanes to be read.
  const Vector& operator[](std::size_t index) const {
    if (lacks_lanes_.has(index)) spread(index);
    return lanes_[index];
  }
  /// Lanes to be written, some or all of them.
  Vector& operator[](std::size_t index) {
    if (lacks_lanes_.has(index)) spread(index);
    has_pattern_.remove(index);
    return lanes_[index];
  }
  /// Lanes of `count` registers in a row, one register behind the other, to be read; to be written.
  const Vector* row(std::size_t first, std::size_t count) const {
    if (lacks_lanes_.any(first, count)) {
      for (std::size_t i = first; i < first + count; ++i) static_cast<void>((*this)[i]);
    }
    return &lanes_[first];
  }
  Vector* row(std::size_t first, std::size_t count) {
    static_cast<void>(std::as_const(*this).row(first, count));
    if (has_pattern_.any(first, count)) {
      for (std::size_t i = first; i < first + count; ++i) has_pattern_.remove(i);
    }
    return &lanes_[first];
  }
  Known known(std::size_t index) const { return has_pattern_.has(index) ? known_[index] : Known{}; }
  /// It will be looked at soon.
  void expect(std::size_t index) const { prefetch(known_.data() + index); }
  /// The lanes of so many from there on will be.
  void expect_lanes(std::size_t first, std::size_t count) const {
    const auto* const lanes = reinterpret_cast<const char*>(lanes_.data() + first);
    for (std::size_t byte = 0; byte < count * sizeof(Vector); byte += 64) prefetch(lanes + byte);
  }
  /// All lanes are written.
  void know(std::size_t index, const LanePattern* pattern, std::uint32_t first) {
    known_[index] = {pattern, first};
    has_pattern_.add(index);
    lacks_lanes_.add(index);
  }
  /// The numbers that the lanes have make up a pattern.
  void note(std::size_t index, const LanePattern* pattern) {
    known_[index] = {pattern, lanes_[index][0]};
    has_pattern_.add(index);
  }
  /// Lanes of all registers.
  std::vector<Vector> all() const {
    for (std::size_t i = 0; i < size(); ++i) static_cast<void>((*this)[i]);
    return lanes_;
  }

 private:
  /// Some of the registers. That is looked at before anything else is: most registers of a warp that computes have
  /// neither mark.
  class Set {
   public:
    bool has(std::size_t index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }
    bool any(std::size_t first, std::size_t count) const {
      const std::size_t end = first + count;
      for (std::size_t i = first; i < end; i += 64 - i % 64) {
        const std::uint64_t from_here = words_[i / 64] >> i % 64;
        if ((end - i < 64 ? from_here & (bit(end - i) - 1) : from_here) != 0) return true;
      }
      return false;
    }
    void add(std::size_t index) { words_[index / 64] |= bit(index); }
    void remove(std::size_t index) { words_[index / 64] &= ~bit(index); }

   private:
    static std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index % 64; }
    std::array<std::uint64_t, kMost / 64> words_{};
  };

  static std::size_t checked(std::size_t count) {
    assert(count <= kMost);
    return count;
  }
  void spread(std::size_t index) const {
    const Known& known = known_[index];
    const Vector& by = known.pattern->by;
    Vector& lanes = lanes_[index];
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) lanes[lane] = known.first + by[lane];
    lacks_lanes_.remove(index);
  }

  Set has_pattern_;
  mutable Set lacks_lanes_;
  mutable std::vector<Vector> lanes_;
  std::vector<Known> known_;
};

}  // namespace stc::isa
