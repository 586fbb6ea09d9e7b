// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/global_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stc::isa {
namespace {

TEST(GlobalMemory, BuffersLieApartWithUnmappedSpaceBetween) {
  GlobalMemory memory;
  std::uint64_t end = 0;
  for (const std::uint64_t bytes : {1ull, 4096ull, 2097152ull, 2097153ull, 5000000ull}) {
    const Allocation& a = memory.allocate("b" + std::to_string(bytes), bytes);
    EXPECT_EQ(a.address % 512, 0u);
    EXPECT_EQ(a.data.size(), bytes);
    if (end != 0) {
      EXPECT_GE(a.address, end + (1u << 20));
    }
    end = a.address + bytes;
  }
  EXPECT_GE(memory.allocations().front().address, 0x7f0000000000u);
}

TEST(GlobalMemory, TranslatesWholeRangesOnly) {
  GlobalMemory memory;
  const std::uint64_t a = memory.allocate("a", 100).address;
  const std::uint64_t b = memory.allocate("b", 200, DataRole::kOutput).address;
  EXPECT_EQ(memory.translate(b + 199, 1), memory.find("b")->data.data() + 199);
  EXPECT_EQ(memory.translate(b + 199, 2), nullptr);
  EXPECT_EQ(memory.translate(a + 96, 4), memory.find("a")->data.data() + 96);
  EXPECT_EQ(memory.translate(a + 97, 4), nullptr);
  EXPECT_EQ(memory.translate(a - 1, 4), nullptr);
  EXPECT_EQ(memory.translate(~0ull - 1, 4), nullptr);  // wraps
  EXPECT_EQ(memory.find(b, 200)->role, DataRole::kOutput);
  EXPECT_EQ(memory.find(b, 201), nullptr);
}

TEST(GlobalMemory, DescribesTheNearestBuffer) {
  GlobalMemory memory;
  EXPECT_EQ(memory.describe_place(5), "no buffer is allocated");
  const std::uint64_t a = memory.allocate("first", 100).address;
  const std::uint64_t b = memory.allocate("second", 100).address;
  EXPECT_NE(memory.describe_place(a + 110).find("10 bytes past the end of buffer 'first'"), std::string::npos);
  EXPECT_NE(memory.describe_place(b - 16).find("16 bytes before buffer 'second'"), std::string::npos);
  EXPECT_NE(memory.describe_place(b + 98).find("98 bytes into buffer 'second'"), std::string::npos);
  EXPECT_EQ(memory.describe_place(b + (std::uint64_t{1} << 40))
                .find("more than a gigabyte from the nearest, buffer 'second'"),
            0u);
}

TEST(GlobalMemory, RefusesASecondBufferOfTheSameName) {
  GlobalMemory memory;
  memory.allocate("a", 1);
  EXPECT_THROW(memory.allocate("a", 1), std::invalid_argument);
}

TEST(GlobalMemory, AllocatesWhereItIsTold) {
  GlobalMemory memory;
  const std::uint64_t first = memory.allocate("a", 4096).address;
  memory.allocate_at(first + 0x100000, "c", 512);
  memory.allocate_at(first + 0x10000, "b", 1024).data[3] = 7;
  EXPECT_EQ(*memory.translate(first + 0x10003, 1), 7);
  EXPECT_EQ(memory.find(first + 0x10000, 1025), nullptr);
  EXPECT_EQ(memory.find(first + 0x100000, 512)->name, "c");
  EXPECT_GT(memory.allocate("d", 1).address, first + 0x100000);
}

TEST(GlobalMemory, RefusesAnAddressThatNoBufferCanHave) {
  GlobalMemory memory;
  const std::uint64_t first = memory.allocate("a", 4096).address;
  const auto error = [&](std::uint64_t address, std::uint64_t bytes) {
    try {
      memory.allocate_at(address, "b", bytes);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(error(first + 4096 + 256, 1), testing::HasSubstr("multiple of 512"));
  EXPECT_THAT(error(first + 3584, 1), testing::HasSubstr("over buffer 'a'"));
  EXPECT_THAT(error(0x1000, 1), testing::HasSubstr("from 0x7f0000000000 on"));
  EXPECT_THAT(error(first + 0x10000, 1ull << 47), testing::HasSubstr("end before"));
  EXPECT_EQ(error(first + 4096, 1), "none");
  EXPECT_THAT(error(first + 4096, 1), testing::HasSubstr("two buffers are named 'b'"));
}

}  // namespace
}  // namespace stc::isa
