// SPDX-License-Identifier: Apache-2.0
#include "models/arith/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace stc::arith {
namespace {

TEST(Convert, EveryCodeOfSmallFormatsSurvivesTheRoundTrip) {
  for (const FloatFormat& format : {kF16, kBf16, kE4m3, kE5m2}) {
    const std::uint32_t codes = 2u << (format.exponent_bits + format.fraction_bits);
    for (std::uint32_t code = 0; code < codes; ++code) {
      const float value = to_float(format, code);
      if (std::isnan(value)) continue;
      EXPECT_EQ(from_float(format, value), code);
    }
  }
}

TEST(Convert, RoundsToNearestEven) {
  EXPECT_EQ(from_float(kF16, 1.0f + 0x1p-11f), 0x3c00u);
  EXPECT_EQ(from_float(kF16, 1.0f + 0x3p-11f), 0x3c02u);
  EXPECT_EQ(from_float(kF16, 1.0f + 0x1.8p-11f), 0x3c01u);
  EXPECT_EQ(from_float(kF16, 0x1p-25f), 0x0000u);
  EXPECT_EQ(from_float(kF16, 0x1.8p-25f), 0x0001u);
  EXPECT_EQ(from_float(kF16, 65519.0f), 0x7bffu);
  EXPECT_EQ(from_float(kF16, 65520.0f), 0x7c00u);
  EXPECT_EQ(from_float(kBf16, -1.00390625f), 0xbf80u);
  EXPECT_EQ(from_float(kTf32, 1.0f + 0x1p-10f), 0x3f802000u);
  EXPECT_EQ(from_float(kTf32, 1.0f + 0x1p-11f), 0x3f800000u);
}

TEST(Convert, RoundsEveryBinadeAsItsDefinitionDoes) {
  for (const FloatFormat& format : {kF16, kBf16, kE5m2, kTf32}) {
    for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
      for (std::uint32_t fraction = 0; fraction < 1u << 23; fraction += 4093 + fraction % 7) {
        for (const std::uint32_t bits : {exponent << 23 | fraction, exponent << 23 | (fraction & ~0xfffu)}) {
          const Decoded x = decode(kF32, bits);
          const std::uint32_t code =
              round_to_format(format, RoundTo::kNearestEven, false, x.significand, x.exponent - 23);
          ASSERT_EQ(from_float(format, float_of_bits(bits)), code << format.ignored_bits) << bits;
          ASSERT_EQ(from_float(format, -float_of_bits(bits)), (code | format.sign_bit()) << format.ignored_bits)
              << bits;
        }
      }
    }
  }
}

TEST(Convert, ManyBecomeWhatEachDoes) {
  std::mt19937 random(3);
  for (const FloatFormat& format : {kF16, kBf16, kTf32, kE4m3, kE5m2, kF32}) {
    for (const std::uint32_t unusual : {0u, 1u, 4u}) {  // of eight: of any bits, not about one
      std::vector<float> values(1001);
      for (float& value : values) {
        const auto bits = static_cast<std::uint32_t>(random());
        value = float_of_bits(random() % 8 < unusual ? bits : (bits & 0x80ffffffu) | 0x3f000000u);
      }
      std::vector<std::uint32_t> codes(values.size());
      from_floats(format, values.data(), values.size(), codes.data());
      std::vector<float> rounded = values;
      round_floats(format, rounded.data(), rounded.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(codes[i], from_float(format, values[i])) << values[i];
        ASSERT_EQ(bits_of_float(rounded[i]), bits_of_float(to_float(format, codes[i]))) << values[i];
      }
    }
  }
}

TEST(Convert, E4m3ClampsBecauseItHasNoInfinity) {
  EXPECT_EQ(from_float(kE4m3, 448.0f), 0x7eu);
  EXPECT_EQ(from_float(kE4m3, 463.0f), 0x7eu);
  EXPECT_EQ(from_float(kE4m3, 1e30f), 0x7eu);
  EXPECT_EQ(from_float(kE4m3, -HUGE_VALF), 0xfeu);
  EXPECT_EQ(from_float(kE4m3, 0x1p-9f), 0x01u);
  EXPECT_EQ(from_float(kE4m3, 0x1p-10f), 0x00u);
  EXPECT_TRUE(std::isnan(to_float(kE4m3, 0x7f)));
  EXPECT_EQ(from_float(kE5m2, 57344.0f), 0x7bu);
  EXPECT_EQ(from_float(kE5m2, 61440.0f), 0x7cu);
}

TEST(Convert, RoundTowardZeroNeverRoundsIntoInfinity) {
  const std::uint64_t just_below = (std::uint64_t{1} << 60) - 1;  // (2 - tiny) * 2^59
  EXPECT_EQ(round_to_format(kF32, RoundTo::kZero, false, just_below, 127 - 59), 0x7f7fffffu);
  EXPECT_EQ(round_to_format(kF32, RoundTo::kZero, true, std::uint64_t{1} << 60, 128 - 60), 0xff800000u);
  EXPECT_EQ(round_to_format(kF16, RoundTo::kNearestEven, false, just_below, 15 - 59), 0x7c00u);
  EXPECT_EQ(round_to_format(kF32, RoundTo::kZero, true, 1, -150), 0u) << "a result of zero is positive";
}

}  // namespace
}  // namespace stc::arith
