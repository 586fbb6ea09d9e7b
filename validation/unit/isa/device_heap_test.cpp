// SPDX-License-Identifier: Apache-2.0
#include "models/isa/driver/device_heap.h"

#include <gtest/gtest.h>

namespace stc::isa {
namespace {

TEST(DeviceHeap, GivesBackWhatItTook) {
  GlobalMemory memory;
  DeviceHeap heap(memory, 1024);
  const std::uint64_t a = heap.allocate(100), b = heap.allocate(1), c = heap.allocate(896);
  EXPECT_EQ(a % 16, 0u);
  EXPECT_EQ(b, a + 112);
  EXPECT_EQ(c, b + 16);
  EXPECT_NE(memory.find(a, 1024), nullptr);
  EXPECT_EQ(heap.allocate(1), 0u);  // full
  EXPECT_TRUE(heap.release(b));
  EXPECT_FALSE(heap.release(b));
  EXPECT_FALSE(heap.release(a + 16));
  EXPECT_EQ(heap.allocate(17), 0u);
  EXPECT_EQ(heap.allocate(16), b);
  for (const std::uint64_t block : {a, c, b}) EXPECT_TRUE(heap.release(block));
  EXPECT_EQ(heap.allocate(1024), a);  // the gaps have joined
}

TEST(DeviceHeap, NothingForNothing) {
  GlobalMemory memory;
  DeviceHeap heap(memory, 64);
  EXPECT_EQ(heap.allocate(0), 0u);
  EXPECT_EQ(heap.allocate(~std::uint64_t{0}), 0u);
  EXPECT_TRUE(heap.release(0));
}

}  // namespace
}  // namespace stc::isa
