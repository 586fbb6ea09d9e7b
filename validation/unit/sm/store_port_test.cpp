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
    p.store_queue_wavefronts = 22;
    p.store_bytes_per_cycle = 32;
    p.partial_store_packets = 2;
    return p;
  }
  /// Sectors that need the port; `left_` when they have left.
  std::uint8_t send(Cycle now, std::uint64_t line, std::uint8_t sectors = kLine, std::uint8_t partial = 0) {
    left_ = port_.send_line(now, line, sectors, partial);
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

TEST_F(Stores, ThatFillSectorsPartlyTakeTwiceAsLongForThem) {
  EXPECT_EQ(send(10, 1, 0xf, 0x6), kLine);
  EXPECT_EQ(left_, 16u);
  EXPECT_EQ(send(20, 2, 0x1, 0x1), 0x1);
  EXPECT_EQ(left_, 22u);
  EXPECT_EQ(port_.more_packets(0x7, 0xe), 2);
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

TEST_F(Stores, FindRoomUntilTheirQueueIsFullBeforeSixteenLines) {
  for (std::uint64_t line = 0; line < 16; ++line) {
    send(0, line);
    port_.queue_store(0, 1);
  }
  for (std::uint64_t line = 16; line < 37; ++line) {  // whose lines have to wait until others have left
    send(0, line);
    port_.queue_store(0, 1);
  }
  EXPECT_EQ(port_.queue_room_from(1), 0u) << "21 of 22 wavefronts";
  EXPECT_EQ(port_.queue_room_from(2), 4u) << "when the line has left on whose place the first of them waits";
  send(0, 37);
  port_.queue_store(0, 4);
  EXPECT_EQ(port_.queue_room_from(1), 16u);
  EXPECT_EQ(send(3, 30), 0) << "one of the last sixteen";
  EXPECT_EQ(send(3, 12), kLine) << "not one of them";
}

TEST_F(Stores, AndReductionsShareTheirQueue) {
  for (int i = 0; i < 35; ++i) {
    port_.send(0, 4);
    port_.queue_reduction(0, 1);
  }
  EXPECT_EQ(port_.queue_room_from(3), 0u) << "19 of 35 take the port only when the time of sixteen lines has passed";
  EXPECT_EQ(port_.queue_room_from(4), 4u);
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
