// SPDX-License-Identifier: Apache-2.0
#include "models/sm/instruction_cache.h"
#include "validation/gpus.h"

#include <gtest/gtest.h>

namespace stc::sm {
namespace {

constexpr std::uint32_t kLines = 64;

FetchParams levels() {
  FetchParams params = validation::a100().sm.fetch;
  params.start_latency = 0;
  params.first_level_bytes = 16 * kCodeLineBytes;
  params.second_level_bytes = 32 * kCodeLineBytes;
  params.launch_bytes = 8 * kCodeLineBytes;
  params.second_level_latency = 50;
  params.second_level_interval = 20;
  params.memory_latency = 300;
  params.memory_interval = 45;
  params.emptied_interval = 120;
  params.lines_ahead = 2;
  return params;
}

InstructionCache cold(const FetchParams& params = levels()) {
  InstructionCache cache(params);
  cache.reset(kLines * kCodeLineBytes);
  return cache;
}

TEST(InstructionCache, TheFirstLineOfAKernelComesFromTheSecondLevel) { EXPECT_EQ(cold().fetch(0, 1000), 1050u); }

TEST(InstructionCache, AfterAllCachesWereEmptiedLaterCodeComesFromDeviceMemoryOnce) {
  FetchParams params = levels();
  params.start_latency = 300;
  params.second_level_bytes = 9 * kCodeLineBytes;
  params.first_level_bytes = kCodeLineBytes;
  params.lines_ahead = 0;
  InstructionCache cache(params);
  cache.reset(kLines * kCodeLineBytes, true);
  cache.fetch(0, 1000);
  EXPECT_EQ(cache.fetch(40, 2000), 2600u);
  EXPECT_EQ(cache.fetch(41, 2100), 2720u) << "one an interval";
  for (std::uint32_t line = 50; line < 60; ++line) cache.fetch(line, Cycle{10000} * line);
  EXPECT_EQ(cache.fetch(40, 1000000), 1000300u) << "thrown out of both levels, but in L2";
}

TEST(InstructionCache, AfterAllCachesWereEmptiedOnlyTheFirstLineComesLater) {
  FetchParams params = levels();
  params.start_latency = 300;
  InstructionCache cache(params);
  cache.reset(kLines * kCodeLineBytes, true);
  EXPECT_EQ(cache.fetch(0, 1000), 1350u);
  EXPECT_EQ(cache.fetch(1, 1350), 1370u);
  cache.reset(kLines * kCodeLineBytes);
  EXPECT_EQ(cache.fetch(0, 1000), 1050u);
}

TEST(InstructionCache, LinesBehindItComeOneAnInterval) {
  InstructionCache cache = cold();
  cache.fetch(0, 1000);
  EXPECT_EQ(cache.fetch(1, 1050), 1070u);
  EXPECT_EQ(cache.fetch(2, 1070), 1090u);
  EXPECT_EQ(cache.fetch(3, 1090), 1110u) << "asked for with line 1, two ahead";
}

TEST(InstructionCache, AJumpBeyondTheLaunchBytesGoesToMemory) { EXPECT_EQ(cold().fetch(40, 1000), 1300u); }

TEST(InstructionCache, ALineThatTheLaunchStillBringsIsWaitedFor) {
  FetchParams params = levels();
  params.launch_bytes = 32 * kCodeLineBytes;
  params.launch_ahead_bytes = 8 * kCodeLineBytes;
  params.launch_interval = 10;
  params.lines_ahead = 0;
  InstructionCache cache = cold(params);
  cache.fetch(0, 1000);
  EXPECT_EQ(cache.fetch(7, 1000), 1070u) << "there before, behind line 0";
  EXPECT_EQ(cache.fetch(20, 1050), 1180u) << "on its way until 1130";
  EXPECT_EQ(cache.fetch(21, 1200), 1250u) << "there since 1140";
  params.launch_interval = 1000;
  InstructionCache slow = cold(params);
  slow.fetch(0, 1000);
  EXPECT_EQ(slow.fetch(20, 2000), 2300u) << "no later than from L2";
}

TEST(InstructionCache, ALineThatHasRunIsThere) {
  InstructionCache cache = cold();
  cache.fetch(0, 1000);
  EXPECT_LE(cache.fetch(0, 5000), 5000u);
}

TEST(InstructionCache, TheLeastRecentlyUsedLineMakesRoom) {
  FetchParams params = levels();
  params.lines_ahead = 0;
  InstructionCache cache = cold(params);
  for (std::uint32_t line = 0; line < 16; ++line) cache.fetch(line, Cycle{100000} * (line + 1));
  EXPECT_LE(cache.fetch(0, 10000000), 10000000u) << "used last now";
  cache.fetch(16, 20000000);
  EXPECT_LE(cache.fetch(0, 30000000), 30000000u);
  EXPECT_EQ(cache.fetch(1, 30000000), 30000050u) << "thrown out, but still in the second level";
}

}  // namespace
}  // namespace stc::sm
