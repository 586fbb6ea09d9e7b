// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/fat_binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "validation/unit/exec/containers.h"

namespace stc::sim {
namespace {

using exec_test::container;
using exec_test::Packing;

std::vector<std::uint8_t> filled(std::size_t count, std::uint8_t value) {
  return std::vector<std::uint8_t>(count, value);
}

/// "200: text" of what `action` throws.
template <class Action>
std::string image_error(Action action) {
  try {
    action();
  } catch (const ImageError& error) {
    return std::to_string(error.error) + ": " + error.what();
  }
  return "nothing was thrown";
}

TEST(FatBinary, TakesTheNewestImageThatTheGpuRuns) {
  const auto images = container({{2, 75, Packing::kNone, filled(9, 75)},
                                 {2, 80, Packing::kLz4, filled(1000, 80)},
                                 {2, 86, Packing::kNone, filled(9, 86)},
                                 {2, 90, Packing::kZstd, filled(1000, 90)},
                                 {2, 90, Packing::kZstd, filled(1000, 91), true},
                                 {1, 80, Packing::kZstd, filled(500, 1)}});
  EXPECT_EQ(choose_image(images, 80).cubin, filled(1000, 80));
  EXPECT_EQ(choose_image(images, 80).sm_version, 80);
  EXPECT_EQ(choose_image(images, 89).sm_version, 86);
  EXPECT_EQ(choose_image(images, 90).cubin, filled(1000, 91));  // sm_90a, on exactly that GPU
}

TEST(FatBinary, ACubinAloneIsTakenAsItIs) {
  const std::vector<std::uint8_t> elf = {0x7f, 'E', 'L', 'F', 1, 2, 3};
  EXPECT_EQ(choose_image(elf, 80).cubin, elf);
}

TEST(FatBinary, SaysWhichArchitectureIsMissing) {
  const auto images = container({{1, 75, Packing::kNone, filled(9, 1)}, {2, 90, Packing::kNone, filled(9, 2), true}});
  EXPECT_EQ(image_error([&] { choose_image(images, 80); }),
            "209: the program holds no machine code for sm_80, only compute_75, sm_90a; compile it with -arch=sm_80");
}

TEST(FatBinary, DamageIsFoundWhereverItIs) {
  const auto whole = container({{2, 80, Packing::kZstd, filled(5000, 3)}, {2, 80, Packing::kLz4, filled(5000, 3)}});
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) {
    const std::vector<std::uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_THAT(image_error([&] { choose_image(part, 80); }), testing::HasSubstr("200: a damaged fat binary")) << cut;
  }
  int found = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {0xff, 0x01, 0x80}) {
      auto damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ change);
      try {
        for (const FatBinaryEntry& entry : read_fat_binary(damaged)) inflate(damaged, entry);
      } catch (const ImageError&) {
        ++found;
      }
    }
  }
  EXPECT_GT(found, 100);  // the rest are fields that nobody reads, or still the same size
}

TEST(FatBinary, NamesWhatDoesNotInflate) {
  auto images = container({{2, 80, Packing::kZstd, filled(5000, 3)}});
  images[16 + 56] ^= 1;  // the size that it states
  EXPECT_EQ(image_error([&] { choose_image(images, 80); }),
            "200: a damaged fat binary: image sm_80 does not inflate to its 5001 bytes");
}

}  // namespace
}  // namespace stc::sim
