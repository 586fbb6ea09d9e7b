// SPDX-License-Identifier: Apache-2.0
// The SM's port of stores: what a line takes of it, which stores join one that came before, and how many wait.
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
    p.store_mask_packets = 1;
    p.store_join_cycles = 2;
    p.store_pause_cycles = 24;
    return p;
  }
  /// Sends `words` of each of the sectors.
  const StorePort::Sent& send(Cycle now, std::uint64_t line, std::uint8_t sectors = kLine, std::uint32_t words = 0xff) {
    LineAccess access;
    access.line = line;
    access.sectors = sectors;
    for (unsigned sector = 0; sector < 4; ++sector) access.words |= (sectors >> sector & 1) * words << 8 * sector;
    return sent_ = port_.send_line(now, access);
  }
  /// Stores to so many other lines, so that none of before takes any more.
  void send_others(Cycle now, int count = 16) {
    for (int i = 0; i < count; ++i) send(now, 1000 + next_++, 0x1);
  }
  StorePort port_{params()};
  StorePort::Sent sent_;
  std::uint64_t next_ = 0;
};

TEST_F(Stores, OfAWholeLineTakeFourCyclesOfThePort) {
  EXPECT_EQ(send(10, 1).sectors, kLine);
  EXPECT_EQ(sent_.left, 14u);
  EXPECT_EQ(send(11, 2, 0x3).sectors, 0x3);
  EXPECT_EQ(sent_.left, 16u);
  EXPECT_FALSE(sent_.joins);
}

TEST_F(Stores, ToOneOfTheLastLinesJoinWhatWasStoredThere) {
  send(10, 1, 0x1);
  EXPECT_EQ(send(12, 1, 0x2).sectors, 0x2);
  EXPECT_TRUE(sent_.joins);
  EXPECT_EQ(sent_.left, 14u) << "a line that joins takes two cycles";
  EXPECT_EQ(send(14, 1, 0x3).sectors, 0) << "both sectors have been sent";
  EXPECT_EQ(sent_.left, 16u);
  send_others(16, 15);
  EXPECT_TRUE(send(31, 1, 0x4).joins);
  send_others(33);
  EXPECT_FALSE(send(49, 1, 0x8).joins) << "16 others have been stored to since";
}

TEST_F(Stores, DoNotJoinBehindAPause) {
  send(10, 1, 0x1);
  EXPECT_TRUE(send(34, 1, 0x2).joins);
  EXPECT_FALSE(send(59, 1, 0x4).joins);
}

TEST_F(Stores, JoinALineThatStillWaitsBehindAPause) {
  send(10, 1);
  port_.hold(100);
  EXPECT_TRUE(send(60, 1, 0x1).joins);
}

TEST_F(Stores, ThatFillSectorsPartlyTakeAPacketMoreForEachLine) {
  EXPECT_EQ(send(10, 1, kLine, 0xf).sectors, kLine);
  EXPECT_EQ(sent_.more_packets, 0) << "others may still fill them";
  EXPECT_EQ(sent_.left, 14u);
  send_others(14);
  EXPECT_EQ(sent_.more_packets, 1) << "with the line for which it makes room";
  EXPECT_EQ(sent_.left, 14u + 16 + 1);
}

TEST_F(Stores, OfTwoHalvesOfASectorAreOnePacket) {
  send(10, 1, kLine, 0x0f);
  EXPECT_EQ(send(11, 1, kLine, 0xf0).sectors, 0);
  EXPECT_EQ(sent_.left, 16u);
  send_others(16);
  EXPECT_EQ(sent_.more_packets, 0);
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
  EXPECT_EQ(send(10, 3).left, 24u);
  port_.reset();
  EXPECT_FALSE(send(0, 2).joins);
  EXPECT_EQ(sent_.left, 4u);
}

}  // namespace
}  // namespace stc::sm
