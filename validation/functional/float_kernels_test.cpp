// SPDX-License-Identifier: Apache-2.0
// Half-precision arithmetic, rounded here from exact doubles, and library functions within the bounds that the CUDA
// programming guide states (units in the last place).
#include "validation/functional/kernel_fixture.h"

#include <cmath>
#include <random>

namespace stc::functional {
namespace {

class FloatKernels : public KernelFixture {
 protected:
  isa::Kernel kernel(const std::string& name) { return load("sample_exec_cta", name); }
};

double half_value(unsigned h) {
  const int exponent = static_cast<int>(h >> 10 & 31), fraction = static_cast<int>(h & 1023);
  double v = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
             : exponent == 0 ? std::ldexp(fraction, -24)
                             : std::ldexp(1024 + fraction, exponent - 25);
  return (h >> 15 & 1) != 0 ? -v : v;
}

/// Nearest half of a double, ties to even, by comparing distances: slow and simple.
unsigned nearest_half(double v) {
  if (std::isnan(v)) return 0x7fff;
  const unsigned sign = std::signbit(v) ? 0x8000u : 0u;
  const double magnitude = std::fabs(v);
  if (magnitude >= 65520) return sign | 0x7c00u;
  unsigned low = 0, high = 0x7bff;  // largest half not above the magnitude
  while (low < high) {
    const unsigned middle = (low + high + 1) / 2;
    if (half_value(middle) <= magnitude)
      low = middle;
    else
      high = middle - 1;
  }
  const double below = magnitude - half_value(low);
  const double above = (low == 0x7bff ? 65536.0 : half_value(low + 1)) - magnitude;
  return sign | (below < above || (below == above && (low & 1) == 0) ? low : low + 1);
}

TEST_P(FloatKernels, HalvesRoundOnce) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> a, b;
  const std::uint32_t edges[] = {0x00000000, 0x80008000, 0x3c003c00, 0x00010400, 0x83ff7bff, 0x7c00fc00, 0x7e003555};
  for (const auto x : edges) {
    for (const auto y : edges) a.push_back(x), b.push_back(y);
  }
  while (a.size() < 1024) {
    b.push_back(static_cast<std::uint32_t>(random()) & (a.size() % 2 == 0 ? 0xbfffbfffu : 0xffffffffu));
    a.push_back(static_cast<std::uint32_t>(random()));
  }
  const auto pa = upload("a", a), pb = upload("b", b), out = reserve("out", a.size() * 32);
  run(kernel("half_arithmetic"), {8, 1, 1}, {128, 1, 1}, Arguments().add(pa).add(pb).add(out));
  const auto result = download<std::uint32_t>("out");
  const auto pick = [](double p, double q, bool smaller) {
    if (std::isnan(p) || std::isnan(q)) return std::isnan(p) ? q : p;
    if (p == q) return std::signbit(p) == smaller ? p : q;
    return (p < q) == smaller ? p : q;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x[2] = {half_value(a[i] & 0xffff), half_value(a[i] >> 16)};
    const double y[2] = {half_value(b[i] & 0xffff), half_value(b[i] >> 16)};
    for (unsigned h = 0; h < 2; ++h) {
      const auto got = [&](std::size_t row) { return result[i * 8 + row] >> (16 * h) & 0xffff; };
      SCOPED_TRACE(::testing::Message() << std::hex << a[i] << " " << b[i] << " half " << h);
      ASSERT_EQ(got(0), nearest_half(x[h] + y[h]));
      ASSERT_EQ(got(1), nearest_half(x[h] * y[h]));
      // 53 bits hold product and sum of halves but for the very smallest addend: long double holds all.
      const long double fused = static_cast<long double>(x[h]) * y[h] + static_cast<long double>(x[h]);
      ASSERT_EQ(got(2), nearest_half(static_cast<double>(fused)));
      ASSERT_EQ(got(3), nearest_half(pick(x[h], y[h], true)));
      ASSERT_EQ(got(4), nearest_half(pick(x[h], y[h], false)));
      ASSERT_EQ(got(5), nearest_half(x[0] - y[1]));
      const float scaled = h == 0 ? static_cast<float>(x[0]) * 1.001f : static_cast<float>(y[1]) * 3.0f;
      ASSERT_EQ(got(6), nearest_half(scaled));
    }
    if (std::fabs(y[0]) < 2e9) {
      ASSERT_EQ(result[i * 8 + 7] & 0xffff, nearest_half(std::trunc(y[0]) + 0.0)) << std::hex << b[i];
    }
    ASSERT_EQ(result[i * 8 + 7] >> 16, x[0] < y[0] ? 0x3d7au : 0x3d7bu);
  }
}

/// Distance in units of the f32 last place of the exact value.
double ulps(float got, double exact) {
  if (static_cast<double>(got) == exact) return 0;
  int exponent;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

TEST_P(FloatKernels, LibraryFunctionsWithinTheirBounds) {
  std::vector<float> in;
  std::mt19937 random(5);
  for (int i = 0; i < 1024; ++i) {
    const float v =
        std::ldexp(1.0f + static_cast<float>(random() % 8388608u) / 8388608.0f, static_cast<int>(random() % 40) - 30);
    in.push_back(random() % 2 == 0 ? v : -v);
  }
  for (int i = 0; i < 60; ++i)
    in[static_cast<std::size_t>(i)] = std::ldexp(1.3f + static_cast<float>(i), 60);  // slow reduction
  const auto pin = upload("in", in), out = reserve("out", in.size() * 40);
  run(kernel("float_functions"), {8, 1, 1}, {128, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<float>("out");
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double x = in[i], magnitude = std::fabs(x);
    const float* row = &result[i * 10];
    SCOPED_TRACE(::testing::Message() << "x = " << x);
    if (magnitude < 80) {
      EXPECT_LE(ulps(row[0], std::exp(x)), 2);
      EXPECT_LE(ulps(row[5], std::exp2(x)), 2);
    }
    EXPECT_LE(ulps(row[1], std::log(magnitude)), 1.5);
    EXPECT_LE(ulps(row[2], std::sin(x)), 2);
    EXPECT_LE(ulps(row[3], std::cos(x)), 2);
    EXPECT_LE(ulps(row[4], std::tanh(x)), 2.5);
    EXPECT_LE(ulps(row[6], std::log2(magnitude)), 1.5);
    EXPECT_LE(ulps(row[7], 1 / std::sqrt(magnitude)), 2);
    EXPECT_LE(ulps(row[8], std::pow(magnitude, static_cast<double>(0.3f))), 4);
    if (magnitude < 3) {
      EXPECT_LE(std::fabs(row[9] - std::sin(x)), std::ldexp(1.0, -20));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, FloatKernels, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
