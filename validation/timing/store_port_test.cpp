// SPDX-License-Identifier: Apache-2.0
// When what stores put into lines has left the SM.
#include <gtest/gtest.h>

#include "models/sm/store_port.h"
#include "validation/gpus.h"

namespace stc::timing {
namespace {

constexpr std::uint32_t kAllWords = ~0u;

sm::LineAccess whole_line(std::uint64_t line) {
  sm::LineAccess access;
  access.line = line;
  access.sectors = memory::kAllSectors;
  access.words = kAllWords;
  return access;
}

TEST(StorePort, LinesLeaveOneAfterTheOther) {
  sm::StorePort port(validation::h200().sm.lsu);
  EXPECT_EQ(port.send_line(0, whole_line(1)).left, 4u);
  EXPECT_EQ(port.send_line(0, whole_line(2)).left, 8u);
}

TEST(StorePort, WhatIsStoredAgainTakesACycle) {
  sm::StorePort port(validation::h200().sm.lsu);
  port.send_line(0, whole_line(1));
  const sm::StorePort::Sent again = port.send_line(0, whole_line(1));
  EXPECT_TRUE(again.joins);
  EXPECT_EQ(again.sectors, 0);
  EXPECT_EQ(again.left, 5u);
}

TEST(StorePort, TheLastSixteenLinesTakeMore) {
  sm::StorePort port(validation::h200().sm.lsu);
  for (std::uint64_t line = 0; line < 17; ++line) port.send_line(0, whole_line(line));
  EXPECT_FALSE(port.send_line(0, whole_line(0)).joins);
  EXPECT_TRUE(port.send_line(0, whole_line(16)).joins);
}

}  // namespace
}  // namespace stc::timing
