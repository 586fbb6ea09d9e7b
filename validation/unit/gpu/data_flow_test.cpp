// SPDX-License-Identifier: Apache-2.0
// Which registers hold data, and when one of them steers.
#include "models/gpu/sampling/data_flow.h"

#include <gtest/gtest.h>

namespace stc::gpu {
namespace {

constexpr std::uint16_t kR4 = 4, kR8 = 8, kP3 = isa::kFirstPredicate + 3;

DataFlow::Use load_to(std::uint16_t to) {
  DataFlow::Use load;
  load.writes = {to};
  load.brings_data = true;
  return load;
}

/// @P3 MOV to, from
DataFlow::Use guarded_move(std::uint16_t to, std::uint16_t from) {
  DataFlow::Use move;
  move.reads = {kP3, from};
  move.guards = {kP3};
  move.writes = {to};
  return move;
}

/// @P3 LDGSTS [..], [address]
DataFlow::Use guarded_copy(std::uint16_t address) {
  DataFlow::Use copy;
  copy.reads = copy.steers = {kP3, address};
  copy.guards = {kP3};
  return copy;
}

TEST(WarpData, SteersWhereSomeThreadExecutes) {
  WarpData warp;
  EXPECT_EQ(warp.follow(load_to(kR4), Executed::kByAll), -1);
  EXPECT_TRUE(warp.holds_data(kR4));
  EXPECT_EQ(warp.follow(guarded_copy(kR4), Executed::kByNone), -1);
  EXPECT_EQ(warp.follow(guarded_copy(kR4), Executed::kBySome), kR4);
  EXPECT_EQ(warp.follow(guarded_copy(kR4), Executed::kByAll), kR4);
}

TEST(WarpData, MovesWithWhatIsExecuted) {
  WarpData warp;
  warp.follow(load_to(kR4), Executed::kByAll);
  warp.follow(guarded_move(kR8, kR4), Executed::kByNone);
  EXPECT_FALSE(warp.holds_data(kR8));
  warp.follow(guarded_move(kR8, kR4), Executed::kBySome);
  EXPECT_TRUE(warp.holds_data(kR8));
  // One that only some threads write still holds what the others had.
  warp.follow(guarded_move(kR4, kR8 + 1), Executed::kBySome);
  EXPECT_TRUE(warp.holds_data(kR4));
  warp.follow(guarded_move(kR4, kR8 + 1), Executed::kByAll);
  EXPECT_FALSE(warp.holds_data(kR4));
}

// Whether a thread executes it is data, even if none does.
TEST(WarpData, GuardsOfDataSteerAndTaint) {
  WarpData warp;
  warp.follow(load_to(kP3), Executed::kByAll);
  EXPECT_EQ(warp.follow(guarded_copy(kR4), Executed::kByNone), kP3);
  warp.follow(guarded_move(kR8, kR4), Executed::kByNone);
  EXPECT_TRUE(warp.holds_data(kR8));
}

}  // namespace
}  // namespace stc::gpu
