// SPDX-License-Identifier: Apache-2.0
// Lines of stores that wait for the SM's port: who joins them, and how many there are.
#include "models/sm/store_port.h"

#include <gtest/gtest.h>

namespace stc::sm {
namespace {

constexpr std::uint8_t kLine = 0xf;

class Stores : public testing::Test {
 protected:
  static LsuParams params() {
    LsuParams p;
    p.store_queue_cycles = 16;
    p.store_lines = 16;
    p.store_bytes_per_cycle = 32;
    return p;
  }
  /// Sectors that need the port; `left_` when they have left.
  std::uint8_t send(Cycle now, std::uint64_t line, std::uint8_t sectors = kLine) {
    left_ = port_.send_line(now, line, sectors);
    return sectors;
  }
  StorePort port_{params()};
  Cycle left_ = 0;
};

TEST_F(Stores, OfAWholeLineTakeFourCyclesOfThePort) {
  EXPECT_EQ(send(10, 1), kLine);
  EXPECT_EQ(left_, 14u);
  EXPECT_EQ(send(11, 2, 0x3), 0x3);
  EXPECT_EQ(left_, 16u);
}

TEST_F(Stores, ToSectorsThatWaitGoWithThem) {
  send(10, 1);
  send(10, 2, 0x1);
  EXPECT_EQ(send(11, 1), 0);
  EXPECT_EQ(left_, 14u);
  EXPECT_EQ(send(12, 2, 0x3), 0x2);  // the second sector is new
  EXPECT_EQ(left_, 16u);
  EXPECT_EQ(send(14, 1), kLine) << "it has left";
  EXPECT_EQ(left_, 20u);
}

TEST_F(Stores, FindRoomUntilSixteenLinesWait) {
  for (std::uint64_t line = 0; line < 15; ++line) send(0, line);
  EXPECT_EQ(port_.line_room_from(), 0u);
  send(0, 15);
  EXPECT_EQ(port_.line_room_from(), 4u);  // when the first has left
  send(0, 16);
  EXPECT_EQ(port_.line_room_from(), 8u);
  EXPECT_EQ(send(3, 0), 0);
}

TEST_F(Stores, WaitLongerWhenThePortIsHeld) {
  send(0, 1);
  send(0, 2);
  port_.hold(20);
  EXPECT_EQ(send(10, 1), 0);
  EXPECT_EQ(left_, 16u);
  EXPECT_EQ(send(17, 1), kLine);
  EXPECT_EQ(left_, 24u);
  port_.reset();
  EXPECT_EQ(send(0, 2), kLine);
  EXPECT_EQ(left_, 4u);
}

}  // namespace
}  // namespace stc::sm
