// SPDX-License-Identifier: Apache-2.0
// The weights and integers of a launch against what the kernels' own header says.
#include "sim/convolution/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "validation/kernels/convolution_shape.h"

namespace stc::sim {
namespace {

TEST(ConvolutionLayout, RowsAreAPermutationThatGivesALaneConsecutiveChannels) {
  for (const int warp_m : {32, 64}) {
    std::set<int> channels;
    for (int row = 0; row < warp_m; ++row) {
      channels.insert(channel_of_row(row, warp_m));
      EXPECT_EQ(channel_of_row(row, warp_m), kernels::channel_of_row(row, warp_m));
    }
    EXPECT_EQ(channels.size(), static_cast<std::size_t>(warp_m));
    // Lane group g holds rows g and g + 8 of every fragment: its channels follow each other.
    for (int g = 0; g < 8; ++g) {
      for (int i = 0; i < warp_m / 8; ++i) {
        EXPECT_EQ(channel_of_row(i / 2 * 16 + i % 2 * 8 + g, warp_m), g * warp_m / 8 + i);
      }
    }
  }
}

TEST(ConvolutionLayout, MultiplicationAndShiftDivide) {
  for (const std::uint32_t divisor : {1U, 2U, 3U, 7U, 49U, 196U, 784U, 3136U, 12544U, 50176U, 65535U, 65536U, 99991U}) {
    const DivisorWords words = divisor_words(divisor);
    for (const std::uint64_t near : {std::uint64_t{0}, std::uint64_t{divisor}, std::uint64_t{divisor} * 1000,
                                     (std::uint64_t{1} << 31) / divisor * divisor}) {
      for (const int step : {-1, 0, 1}) {
        const auto x = static_cast<std::uint32_t>(near + static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
        if (x >= 1U << 31U) continue;
        const std::uint32_t quotient =
            words.multiplier == 0
                ? x
                : static_cast<std::uint32_t>((std::uint64_t{x} * words.multiplier) >> 32U) >> words.shift;
        EXPECT_EQ(quotient, x / divisor) << x << " / " << divisor;
      }
    }
  }
}

TEST(ConvolutionLayout, ScalarsAreThoseOfTheCheckProgram) {
  ConvolutionProblem problem;
  problem.kernel.gemm.tile_k = 64;
  problem.layer = {"", "", 3, 17, 11, 24, 128, 5, 3, 2, 1};
  const kernels::ConvolutionShape shape = kernels::convolution_shape(3, 17, 11, 24, 128, 5, 3, 2, 1, 64);
  EXPECT_EQ(scalar_argument(problem, "pixels"), shape.pixels);
  EXPECT_EQ(scalar_argument(problem, "image"), static_cast<int>(shape.image.divisor));
  EXPECT_EQ(scalar_argument(problem, "image_multiplier"), static_cast<int>(shape.image.multiplier));
  EXPECT_EQ(scalar_argument(problem, "image_shift"), static_cast<int>(shape.image.shift));
  EXPECT_EQ(scalar_argument(problem, "q_multiplier"), static_cast<int>(shape.row.multiplier));
  EXPECT_EQ(scalar_argument(problem, "tiles_k"), shape.tiles_k);
  EXPECT_EQ(scalar_argument(problem, "step_r"), shape.step_r);
  EXPECT_EQ(scalar_argument(problem, "step_s"), shape.step_s);
  EXPECT_EQ(scalar_argument(problem, "step_c"), shape.step_c);
  EXPECT_ANY_THROW(scalar_argument(problem, "dilation"));
}

}  // namespace
}  // namespace stc::sim
