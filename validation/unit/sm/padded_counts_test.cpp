// SPDX-License-Identifier: Apache-2.0
// The rule of copies past the L1 against what an H200's L1 caches received for every point of micro_padded_copies.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/sm/coalescer.h"

namespace stc::sm {
namespace {

constexpr int kCtas = 132, kWarps = 8, kRoundsBefore = 4;

struct PaddedPoint {
  int count = 0, row_lanes = 0, from_pitch = 0, to_pitch = 0, shift = 0, columns = 0, rounds = 0;
  std::uint64_t sectors = 0;
};

std::vector<PaddedPoint> padded_points() {
  std::ifstream file("validation/measured/h200/padded_counts.csv");
  std::vector<PaddedPoint> all;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("micro_padded_copies,132,8,out data ", 0) != 0) continue;
    PaddedPoint p;
    char comma = 0;
    std::istringstream args(line.substr(line.find("data ") + 5));
    args >> p.count >> p.row_lanes >> p.from_pitch >> p.to_pitch >> p.shift >> p.columns >> p.rounds >> comma >>
        p.sectors;
    all.push_back(p);
  }
  return all;
}

/// Sectors of all copies of a CTA in a round that takes `column`.
int sectors_of_round(const PaddedPoint& p, int column) {
  int sum = 0;
  for (int copy = 0; copy < kWarps * p.count; ++copy) {
    std::array<std::uint64_t, isa::kWarpSize> from{};
    std::array<std::uint32_t, isa::kWarpSize> to{};
    for (int lane = 0; lane < isa::kWarpSize; ++lane) {
      const int row = copy * (isa::kWarpSize / p.row_lanes) + lane / p.row_lanes, place = lane % p.row_lanes * 16;
      const auto l = static_cast<std::size_t>(lane);
      from[l] = static_cast<std::uint64_t>(row * p.from_pitch + place + column * p.row_lanes * 16);
      to[l] = static_cast<std::uint32_t>(row * p.to_pitch + place + p.shift);
    }
    LineList list;
    coalesce_copy(from.data(), to.data(), ~isa::LaneMask{0}, list);
    sum += list.sectors();
  }
  return sum;
}

TEST(PaddedCounts, SectorsAreThoseThatL1Received) {
  const std::vector<PaddedPoint> points = padded_points();
  ASSERT_EQ(points.size(), 28u);
  for (const PaddedPoint& p : points) {
    std::uint64_t sectors = 0;
    for (int round = 0; round < p.rounds + kRoundsBefore; ++round) {
      sectors += static_cast<std::uint64_t>(sectors_of_round(p, round % p.columns));
    }
    EXPECT_EQ(sectors * kCtas, p.sectors) << "pitch " << p.to_pitch << " shift " << p.shift;
  }
}

}  // namespace
}  // namespace stc::sm
