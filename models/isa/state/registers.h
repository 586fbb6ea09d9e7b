// SPDX-License-Identifier: Apache-2.0
// General registers of a warp: of each the numbers of its 32 lanes, or the first lane's and a pattern (lane_pattern.h)
// while whoever wrote it knew one. A register that is known so takes a sixteenth of the memory, of which all warps of a
// hundred SMs have more than a processor's caches hold. Who reads lanes finds lanes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isa/state/lane_pattern.h"

namespace stc::isa {

using Vector = std::array<std::uint32_t, kWarpSize>;  ///< one 32-bit register of all lanes

class Registers {
 public:
  /// The number of the first lane and how others differ; null: that is not known.
  struct Known {
    const LanePattern* pattern = nullptr;
    std::uint32_t first = 0;
    bool spread = true;  ///< the lanes' numbers are there too
  };

  explicit Registers(std::size_t count) : lanes_(count), known_(count) {}
  std::size_t size() const { return known_.size(); }
  void assign(std::size_t count, const Vector& value) {
    lanes_.assign(count, value);
    known_.assign(count, {});
  }
  void resize(std::size_t count, const Vector& value = {}) {
    lanes_.resize(count, value);
    known_.resize(count);
  }

  /// Lanes to be read.
  const Vector& operator[](std::size_t index) const {
    if (!known_[index].spread) spread(index);
    return lanes_[index];
  }
  /// Lanes to be written, some or all of them.
  Vector& operator[](std::size_t index) {
    if (!known_[index].spread) spread(index);
    known_[index].pattern = nullptr;
    return lanes_[index];
  }
  /// Lanes of `count` registers in a row, one register behind the other, to be read; to be written.
  const Vector* row(std::size_t first, std::size_t count) const {
    for (std::size_t i = first; i < first + count; ++i) static_cast<void>((*this)[i]);
    return &lanes_[first];
  }
  Vector* row(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) static_cast<void>((*this)[i]);
    return &lanes_[first];
  }
  const Known& known(std::size_t index) const { return known_[index]; }
  /// It will be looked at soon.
  void expect(std::size_t index) const { __builtin_prefetch(known_.data() + index); }
  /// All lanes are written.
  void know(std::size_t index, const LanePattern* pattern, std::uint32_t first) {
    known_[index] = {pattern, first, false};
  }
  /// The numbers that the lanes have make up a pattern.
  void note(std::size_t index, const LanePattern* pattern) {
    known_[index].pattern = pattern;
    known_[index].first = lanes_[index][0];
  }
  /// Lanes of all registers.
  std::vector<Vector> all() const {
    row(0, size());
    return lanes_;
  }

 private:
  void spread(std::size_t index) const {
    Known& known = known_[index];
    const Vector& by = known.pattern->by;
    Vector& lanes = lanes_[index];
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) lanes[lane] = known.first + by[lane];
    known.spread = true;
  }

  mutable std::vector<Vector> lanes_;
  mutable std::vector<Known> known_;
};

}  // namespace stc::isa
