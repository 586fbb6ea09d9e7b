// SPDX-License-Identifier: Apache-2.0
#include "models/sm/landing_port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/memory/address_hash.h"
#include "validation/gpus.h"

namespace stc::sm {
namespace {

using Written = std::vector<std::pair<std::uint32_t, Cycle>>;

LandingPort port() { return LandingPort(validation::h200().sm.bulk); }

Written write(LandingPort& port, Cycle end) {
  Written written;
  port.write(end, [&](std::uint32_t copy, Cycle cycle) { written.emplace_back(copy, cycle); });
  return written;
}

TEST(LandingPort, LinesOfOneSliceStayInTheirOrder) {
  LandingPort lines = port();
  for (std::uint32_t copy = 0; copy < 3; ++copy) lines.add({100, copy, 7, 4, 0});
  EXPECT_EQ(lines.next(), 100u);
  EXPECT_EQ(write(lines, 1000), (Written{{0, 100}, {1, 101}, {2, 102}}));
  EXPECT_EQ(lines.next(), kNever);
}

TEST(LandingPort, SlicesTakeTurns) {
  LandingPort lines = port();
  for (std::uint32_t copy = 0; copy < 3; ++copy) lines.add({100, copy, 7, 4, 0});
  lines.add({101, 3, 9, 4, 0});
  EXPECT_EQ(write(lines, 1000), (Written{{0, 100}, {3, 101}, {1, 102}, {2, 103}})) << "a later copy's line passes";
}

TEST(LandingPort, LinesOfOthersTakeTheirTimeAndCompleteNothing) {
  LandingPort lines = port();
  lines.add({100, 5, 0, 4, 1});
  lines.add({100, 6, 1, 4, 2});
  lines.add({100, 1, 2, 4, 0});
  lines.add({100, 2, 2, 4, 0});
  EXPECT_EQ(write(lines, 1000), (Written{{1, 102}, {2, 103}}));
}

TEST(LandingPort, NothingIsWrittenBeforeItsTimeWhereverTheWindowEnds) {
  const auto all = [](Cycle step) {
    LandingPort lines = port();
    for (std::uint32_t i = 0; i < 100; ++i)
      lines.add({100 + i / 3 * 2, i, static_cast<std::uint16_t>(i * 29 % 48), 4, 0});
    Written written;
    for (Cycle end = 0; end < 1000; end += step) {
      for (const auto& one : write(lines, end)) {
        EXPECT_LT(one.second, end);
        EXPECT_GE(one.second, 100 + one.first / 3 * 2);
        written.push_back(one);
      }
    }
    return written;
  };
  EXPECT_EQ(all(1).size(), 100u);
  EXPECT_EQ(all(1), all(194));
}

TEST(LandingPort, TellsOnceWhatWasWrittenBesideOthers) {
  LandingPort lines = port();
  for (Cycle cycle = 100; cycle < 110; ++cycle) lines.add({cycle, 1, 0, 1, 0});
  write(lines, 1000);
  EXPECT_EQ(lines.written_beside(100, 200), 0);
  EXPECT_EQ(lines.written_beside(104, 102), 2) << "nothing went on from 102 on";
  EXPECT_EQ(lines.written_beside(104, 200), 0);
  EXPECT_EQ(lines.written_beside(1000, 1000), 6);
}

/// multicast.csv, clusters of two, four times 128 rows for one CTA and 128 for both: complete after 1149, 1817, 2135
/// and 2240 cycles. One after the other they would be 449 cycles apart.
TEST(LandingPort, LaterCopiesHoldUpTheFirstAndNotTheLast) {
  constexpr Cycle kCopies = 4, kIssue = 178, kBox = 128;  // cycles between copies, and of a box
  LandingPort lines = port();
  std::uint64_t number = 0;
  const auto box = [&](Cycle begin, std::uint32_t copy, std::uint8_t source) {
    for (Cycle i = 0; i < kBox; ++i) {
      lines.add({begin + i, copy, static_cast<std::uint16_t>(memory::mix(number++) % 48), 4, source});
    }
  };
  for (Cycle copy = 0; copy < kCopies; ++copy) {
    const Cycle begin = copy * kIssue;
    box(begin, static_cast<std::uint32_t>(copy), 0);
    box(begin + kBox, static_cast<std::uint32_t>(copy), 0);
    box(begin + kBox, static_cast<std::uint32_t>(copy), 1);
  }
  std::array<Cycle, kCopies> complete{};
  for (const auto& [copy, cycle] : write(lines, 100000)) complete.at(copy) = std::max(complete.at(copy), cycle);
  EXPECT_NEAR(static_cast<double>(complete[3] - complete[0]), 2240 - 1149, 100);
  EXPECT_NEAR(static_cast<double>(complete[3] - complete[1]), 2240 - 1817, 100);
  EXPECT_NEAR(static_cast<double>(complete[3] - complete[2]), 2240 - 2135, 100);
}

}  // namespace
}  // namespace stc::sm
