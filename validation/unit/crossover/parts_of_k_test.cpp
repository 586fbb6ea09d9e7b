// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/parts_of_k.h"

#include <gtest/gtest.h>

namespace stc::sim {
namespace {

TEST(PartsOfK, FillTheSmsEvenly) {
  EXPECT_EQ(parts_of_k(64, 2048, 64, 3 * 108, 108, false), 5);  // 320 CTAs, three on nearly every SM
  EXPECT_EQ(parts_of_k(32, 2048, 64, 2 * 108, 108, false), 6);  // 3 and 6 leave 11 % idle; 6 has two CTAs an SM
  EXPECT_EQ(parts_of_k(64, 2048, 64, 3 * 132, 132, false), 4);  // 2, 4 and 6 leave 3 % idle
  EXPECT_EQ(parts_of_k(128, 2048, 64, 5 * 132, 132, false), 2);
}

TEST(PartsOfK, AllCtasAreResidentOrFollowOneAnotherTwice) {
  EXPECT_EQ(parts_of_k(64, 2048, 64, 2 * 108, 108, false), 3);
  EXPECT_EQ(parts_of_k(64, 2048, 64, 2 * 108, 108, true), 5);   // 320 CTAs: three an SM, of which two are resident
  EXPECT_EQ(parts_of_k(128, 2048, 64, 3 * 108, 108, true), 5);  // 640 of 648: six an SM
  EXPECT_EQ(parts_of_k(150, 2048, 64, 108, 108, true), 1);      // 300 CTAs would be three rounds
}

TEST(PartsOfK, OnePartWhereTilesAbound) {
  EXPECT_EQ(parts_of_k(1000, 2048, 64, 2 * 108, 108, false), 1);
  EXPECT_EQ(parts_of_k(1000, 2048, 64, 2 * 108, 108, true), 1);
}

TEST(PartsOfK, NoneIsShallowerThanItMayBe) {
  EXPECT_EQ(parts_of_k(4, 128, 64, 3 * 108, 108, true), 2);
  EXPECT_EQ(parts_of_k(4, 32, 64, 3 * 108, 108, true), 1);
}

}  // namespace
}  // namespace stc::sim
