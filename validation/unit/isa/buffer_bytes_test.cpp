// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/buffer_bytes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace stc::isa {
namespace {

/// Pages of large zeros that take memory.
std::size_t pages(BufferBytes& bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> here((bytes.size() + page - 1) / page);
  EXPECT_EQ(mincore(bytes.data(), bytes.size(), here.data()), 0);
  return static_cast<std::size_t>(std::count_if(here.begin(), here.end(), [](unsigned char one) { return one & 1; }));
}

TEST(BufferBytes, ZerosTakeMemoryOnceTheyAreWritten) {
  BufferBytes bytes = BufferBytes::zeros(std::size_t{64} << 20);
  EXPECT_EQ(pages(bytes), 0u);
  bytes[bytes.size() / 2] = 9;
  EXPECT_GE(pages(bytes), 1u);
  EXPECT_LT(pages(bytes), 1024u);  // of 16384; some systems bring more than one
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), static_cast<std::ptrdiff_t>(bytes.size()) - 1);
}

TEST(BufferBytes, AreZeroWhateverTheirNumber) {
  for (const std::size_t count : {0u, 1u, 511u, 4u << 20, (4u << 20) + 1}) {
    const BufferBytes bytes = BufferBytes::zeros(count);
    EXPECT_EQ(bytes.size(), count);
    EXPECT_EQ(bytes.empty(), count == 0);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), static_cast<std::ptrdiff_t>(count));
  }
}

TEST(BufferBytes, TakeOverAVectorAndAddZeros) {
  std::vector<std::uint8_t> first(8 << 20, 3);
  const std::uint8_t* const place = first.data();
  const BufferBytes whole = std::move(first);
  EXPECT_EQ(whole.data(), place);
  const BufferBytes more = BufferBytes::padded({1, 2}, 5);
  EXPECT_EQ(more.to_vector(), (std::vector<std::uint8_t>{1, 2, 0, 0, 0}));
  EXPECT_EQ(BufferBytes::padded({}, 3), BufferBytes::zeros(3));
}

TEST(BufferBytes, CopiesAreTheirOwnAndWhatIsMovedFromIsEmpty) {
  for (const std::size_t count : {100u, 5u << 20}) {
    BufferBytes from = BufferBytes::zeros(count);
    from[7] = 1;
    BufferBytes copy = from;
    EXPECT_EQ(copy, from);
    copy[7] = 2;
    EXPECT_NE(copy, from);
    EXPECT_EQ(from[7], 1);
    const BufferBytes moved = std::move(from);
    EXPECT_EQ(moved[7], 1);
    EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move)
    copy = moved;
    EXPECT_EQ(copy, moved);
  }
}

}  // namespace
}  // namespace stc::isa
