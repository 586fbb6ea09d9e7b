// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/lane_pattern.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace stc::isa {

const LanePattern kUniformPattern{};

namespace {

constexpr std::size_t kPlaces = 4096, kMost = 512;  // a quarter of the places and less is used, so a search is short
constexpr std::uint32_t kRow = 16, kLine = 128, kSector = 32, kEight = 8;

/// Which rows of lines the lanes write, where the first lane's begins at `first`.
void look_at_lines(LanePattern& pattern, std::uint32_t first) {
  bool fills = true, keeps = true, whole = first % kLine == 0;
  for (std::size_t lane = 0; lane < kWarpSize; lane += kEight) {
    const std::uint32_t begin = first + pattern.by[lane];
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < kEight; ++i) {
      const std::uint32_t row = first + pattern.by[lane + i], neighbour = first + pattern.by[(lane + i) ^ 1];
      used |= 1u << (row / kRow % kEight);
      keeps = keeps && row / kLine == begin / kLine && row / kSector == neighbour / kSector;
      fills = fills && row / kLine == begin / kLine;
      whole = whole && row == begin / kLine * kLine + i * kRow;
    }
    fills = fills && used == (1u << kEight) - 1;
  }
  const auto bit = static_cast<std::uint8_t>(1u << (first % kLine / kRow));
  if (fills) pattern.fills_lines |= bit;
  if (keeps) pattern.keeps_lines |= bit;
  if (whole) pattern.whole_lines |= bit;
}

void look_at_rows(LanePattern& pattern) {
  pattern.rows_apart = true;
  for (std::size_t lane = 0; lane < kWarpSize; lane += kEight) {
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < kEight; ++i) used |= 1u << (pattern.by[lane + i] / kRow % kEight);
    pattern.rows_apart = pattern.rows_apart && used == (1u << kEight) - 1;
  }
  // Far from both ends of 32 bits, so that sums do not wrap.
  for (std::uint32_t first = 0; first < kLine; first += kRow) look_at_lines(pattern, (1u << 31) + first);
}

std::unique_ptr<LanePattern> make_pattern(const std::array<std::uint32_t, kWarpSize>& by) {
  auto pattern = std::make_unique<LanePattern>();
  pattern->by = by;
  for (const std::uint32_t one : by) {
    const auto difference = std::int64_t{static_cast<std::int32_t>(one)};
    pattern->least = std::min(pattern->least, difference);
    pattern->most = std::max(pattern->most, difference);
    pattern->bits |= one;
  }
  if (pattern->bits % kRow == 0) look_at_rows(*pattern);
  return pattern;
}

constexpr std::array<std::uint32_t, kWarpSize> factors() {
  std::array<std::uint32_t, kWarpSize> all{};
  std::uint32_t factor = 1;
  for (std::uint32_t& one : all) one = factor *= 0x9e3779b1u;
  return all;
}
constexpr std::array<std::uint32_t, kWarpSize> kFactors = factors();

class Patterns {
 public:
  const LanePattern* find(const std::array<std::uint32_t, kWarpSize>& by) {
    std::uint32_t any = 0, sum = 0;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      any |= by[lane];
      sum += by[lane] * kFactors[lane];
    }
    if (any == 0) return &kUniformPattern;
    const std::size_t from = (sum ^ sum >> 15) * 0x9e3779b1u >> 20;
    for (std::size_t i = 0;; ++i) {
      const LanePattern* const here = places_[(from + i) % kPlaces].load(std::memory_order_acquire);
      if (here == nullptr) return add(by, from);
      if (here->by == by) return here;
    }
  }

 private:
  const LanePattern* add(const std::array<std::uint32_t, kWarpSize>& by, std::size_t from) {
    if (count_.load(std::memory_order_relaxed) >= kMost) return nullptr;
    const std::lock_guard<std::mutex> lock(adding_);
    for (std::size_t i = 0;; ++i) {
      std::atomic<const LanePattern*>& place = places_[(from + i) % kPlaces];
      const LanePattern* const here = place.load(std::memory_order_acquire);
      if (here != nullptr && here->by == by) return here;  // another thread was first
      if (here != nullptr) continue;
      const std::size_t number = count_.load(std::memory_order_relaxed);
      if (number >= kMost) return nullptr;
      kept_[number] = make_pattern(by);
      place.store(kept_[number].get(), std::memory_order_release);
      count_.store(number + 1, std::memory_order_relaxed);
      return kept_[number].get();
    }
  }

  std::array<std::atomic<const LanePattern*>, kPlaces> places_{};
  std::array<std::unique_ptr<LanePattern>, kMost> kept_;
  std::atomic<std::size_t> count_{0};
  std::mutex adding_;
};

}  // namespace

const LanePattern* pattern_of(const std::array<std::uint32_t, kWarpSize>& lanes) {
  static Patterns patterns;
  std::array<std::uint32_t, kWarpSize> by;
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) by[lane] = lanes[lane] - lanes[0];
  return patterns.find(by);
}

}  // namespace stc::isa
