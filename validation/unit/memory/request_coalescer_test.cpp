// SPDX-License-Identifier: Apache-2.0
#include "models/memory/request_coalescer.h"
#include "validation/gpus.h"

#include <gtest/gtest.h>

namespace stc::memory {
namespace {

constexpr Tick kArrival = 300 * kTicksPerCycle;

CrossbarParams joins_of(int requests) {
  CrossbarParams params = validation::a100().memory.crossbar;
  params.coalesced_requests = requests;
  params.coalescer_reach = 64;
  return params;
}

TEST(RequestCoalescer, OneRequestServesAsManyAsItMay) {
  RequestCoalescer coalescer(joins_of(4));
  coalescer.add(7, 0xf, kArrival);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(coalescer.join(7, 0xf, 0), kArrival) << i;
  EXPECT_EQ(coalescer.join(7, 0xf, 0), 0u);
}

TEST(RequestCoalescer, WhatIsNotOnTheWayCannotBeJoined) {
  RequestCoalescer coalescer(joins_of(4));
  EXPECT_EQ(coalescer.join(7, 0xf, 0), 0u);
  coalescer.add(7, 0x3, kArrival);
  EXPECT_EQ(coalescer.join(8, 0x1, 0), 0u) << "another line";
  EXPECT_EQ(coalescer.join(7, 0x7, 0), 0u) << "a sector that it does not bring";
  EXPECT_EQ(coalescer.join(7, 0x1, 0), 0u) << "a part of what it brings";
  EXPECT_EQ(coalescer.join(7, 0x3, 0), kArrival);
}

TEST(RequestCoalescer, DataThatIsAlmostHereHasPassed) {
  RequestCoalescer coalescer(joins_of(4));
  coalescer.add(7, 0xf, kArrival);
  EXPECT_EQ(coalescer.join(7, 0xf, kArrival - 64 * kTicksPerCycle), kArrival);
  EXPECT_EQ(coalescer.join(7, 0xf, kArrival - 64 * kTicksPerCycle + 1), 0u);
}

TEST(RequestCoalescer, OffEachGoesByItself) {
  RequestCoalescer coalescer(joins_of(1));
  coalescer.add(7, 0xf, kArrival);
  EXPECT_EQ(coalescer.join(7, 0xf, 0), 0u);
}

TEST(RequestCoalescer, ResetForgetsWhatWasOnTheWay) {
  RequestCoalescer coalescer(joins_of(4));
  coalescer.add(7, 0xf, kArrival);
  coalescer.reset();
  EXPECT_EQ(coalescer.join(7, 0xf, 0), 0u);
}

}  // namespace
}  // namespace stc::memory
