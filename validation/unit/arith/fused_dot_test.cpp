// SPDX-License-Identifier: Apache-2.0
// Corner cases of the fused dot product. Expected bits: Khattak & Mikaitis' model (MATLAB-tensor-core, BSD-2-Clause)
// where hardware vectors do not reach; sanity vectors on which all public models agree.
#include "models/arith/fused_dot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "models/arith/convert.h"
#include "validation/gpus.h"

namespace stc::arith {
namespace {

struct Product {
  double a, b;
};

/// `times` copies of a product.
std::vector<Product> copies(int times, double a, double b) {
  return std::vector<Product>(static_cast<std::size_t>(times), Product{a, b});
}

double p2(int exponent) { return std::ldexp(1.0, exponent); }

std::uint32_t dot(const FusedDotRules& rules, const FloatFormat& format, Accumulator accumulator,
                  const std::vector<Product>& products, double c = 0) {
  std::vector<std::uint32_t> a, b;
  for (const Product& product : products) {
    a.push_back(from_float(format, static_cast<float>(product.a)));
    b.push_back(from_float(format, static_cast<float>(product.b)));
    EXPECT_EQ(to_float(format, a.back()), product.a) << "the test's operand is not representable";
    EXPECT_EQ(to_float(format, b.back()), product.b) << "the test's operand is not representable";
  }
  const FloatFormat& c_format = accumulator == Accumulator::f32 ? kF32 : kF16;
  return fused_dot(rules, format, format, accumulator, a.data(), b.data(), static_cast<int>(a.size()),
                   from_float(c_format, static_cast<float>(c)));
}

const FusedDotRules kA100 = validation::a100().numerics.f16();
const FusedDotRules kH200 = validation::h200().numerics.f16();

struct Case {
  FloatFormat format;
  Accumulator accumulator;
  std::vector<Product> products;
  double c;
  std::uint32_t a100, h200;
};

std::vector<Product> operator+(std::vector<Product> x, const std::vector<Product>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

TEST(FusedDot, BitsKeptBelowTheLargestExponent) {
  const auto f32 = Accumulator::f32;
  const std::vector<Product> one{{1, 1}};
  const Case cases[] = {
      {kF16, f32, one + copies(4, p2(-12), p2(-13)), 0, 0x3f800000, 0x3f800001},
      {kF16, f32, one + copies(1, -p2(-12), p2(-13)), 0, 0x3f800000, 0x3f7fffff},
      {kF16, f32, one + copies(7, p2(-13), p2(-13)), 0, 0x3f800000, 0x3f800000},
      {kF16, f32, std::vector<Product>{{-1, 1}} + copies(3, -p2(-12), p2(-13)), 0, 0xbf800000, 0xbf800000},
      {kF16, f32, std::vector<Product>{{1.5, 1.5}} + copies(4, p2(-12), p2(-13)), 0, 0x40100000, 0x40100000},
      {kBf16,
       f32,
       {{255 * p2(-7), p2(127)}, {255 * p2(-7), p2(119)}, {255 * p2(-7), p2(111)}, {1, p2(103)}},
       0,
       0x7f7fffff,
       0x7f7fffff},
      // A zero operand does not raise the alignment exponent, however large its partner.
      {kF16, f32, {{0, p2(15)}, {p2(-12), p2(-13)}}, 0, 0x33000000, 0x33000000},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(dot(kA100, c.format, c.accumulator, c.products, c.c), c.a100);
    EXPECT_EQ(dot(kH200, c.format, c.accumulator, c.products, c.c), c.h200);
  }
}

TEST(FusedDot, ExponentFloorOfF32Results) {
  const auto f32 = Accumulator::f32;
  const auto each = [](int length) { return copies(length, p2(-76), p2(-76)); };
  EXPECT_EQ(dot(kA100, kBf16, f32, each(8)), 1u);
  EXPECT_EQ(dot(kH200, kBf16, f32, each(16)), 2u);
  EXPECT_EQ(dot(kA100, kBf16, f32, copies(8, p2(-76), p2(-77))), 0u);
  EXPECT_EQ(dot(kH200, kBf16, f32, copies(16, p2(-76), p2(-77))), 1u);
  const Case cases[] = {
      {kBf16, f32, {{127 * p2(-80), p2(-76)}, {p2(-78), p2(-78)}}, 0, 1, 1},
      {kBf16, f32, {{255 * p2(-80), p2(-77)}, {p2(-78), p2(-79)}}, 0, 0, 1},
      {kBf16, f32, {{7 * p2(-80), 73 * p2(-78)}, {p2(-79), p2(-79)}}, 0, 0, 1},
      {kBf16, f32, {{33 * p2(-80), 31 * p2(-79)}, {p2(-79), p2(-80)}}, 0, 0, 0},
      {kTf32, f32, {{511 * p2(-80), p2(-78)}, {p2(-79), p2(-79)}}, 0, 0, 1},
  };
  for (const Case& c : cases) {
    const bool tf32 = c.format.ignored_bits != 0;
    EXPECT_EQ(dot(tf32 ? validation::a100().numerics.tf32() : kA100, c.format, f32, c.products), c.a100);
    EXPECT_EQ(dot(tf32 ? validation::h200().numerics.tf32() : kH200, c.format, f32, c.products), c.h200);
  }
}

TEST(FusedDot, ExponentFloorOfF16Results) {
  const auto f16 = Accumulator::f16;
  const Product tie{p2(-12), p2(-13)};
  // A subnormal C has exponent -14: what lies below 2^(-14 - F) is lost.
  const Case cases[] = {
      {kF16, f16, {tie, {p2(-24), p2(-24)}}, 0, 0, 0},        {kF16, f16, {tie, {p2(-23), p2(-23)}}, 0, 0, 1},
      {kF16, f16, {tie, {p2(-23), p2(-24)}}, 0, 0, 0},        {kF16, f16, {tie, {p2(-22), p2(-23)}}, 0, 0, 1},
      {kF16, f16, {tie, {p2(-22), p2(-22)}}, 0, 1, 1},        {kF16, f16, {tie, {-p2(-21), p2(-21)}}, p2(-24), 2, 2},
      {kF16, f16, {tie, {-p2(-20), p2(-20)}}, p2(-24), 2, 2}, {kF16, f16, {tie, {-p2(-19), p2(-20)}}, p2(-24), 2, 1},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(dot(kA100, c.format, c.accumulator, c.products, c.c), c.a100);
    EXPECT_EQ(dot(kH200, c.format, c.accumulator, c.products, c.c), c.h200);
  }
}

TEST(FusedDot, BlocksChainInAscendingOrderThroughARoundedAccumulator) {
  // +1 and -1 in the first block cancel, so a tiny product survives only in the second block.
  std::vector<Product> products = copies(16, 0, 0);
  products[0] = {1, 1};
  products[1] = {-1, 1};
  products[8] = {p2(-13), p2(-13)};
  EXPECT_EQ(dot(kA100, kF16, Accumulator::f32, products), 0x32800000u);
  EXPECT_EQ(dot(kH200, kF16, Accumulator::f32, products), 0u);
  std::swap(products[0], products[8]);
  std::swap(products[1], products[9]);
  EXPECT_EQ(dot(kA100, kF16, Accumulator::f32, products), 0u) << "the lower half comes first";
  const std::vector<Product> tf32{{1, 1}, {-1, 1}, {0, 0}, {0, 0}, {p2(-13), p2(-13)}};
  EXPECT_EQ(dot(validation::a100().numerics.tf32(), kTf32, Accumulator::f32, tf32), 0x32800000u) << "blocks of four";
  EXPECT_EQ(dot(validation::h200().numerics.tf32(), kTf32, Accumulator::f32, tf32), 0u) << "blocks of eight";
}

TEST(FusedDot, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto code = [&](double a, double b, double c) {
    const std::uint32_t x = from_float(kF16, static_cast<float>(a)), y = from_float(kF16, static_cast<float>(b));
    return fused_dot(kH200, kF16, kF16, Accumulator::f32, &x, &y, 1, from_float(kF32, static_cast<float>(c)));
  };
  EXPECT_EQ(code(nan, 1, 0), kNanF32);
  EXPECT_EQ(code(1, 1, nan), kNanF32);
  EXPECT_EQ(code(inf, 0, 1), kNanF32);
  EXPECT_EQ(code(inf, 1, -inf), kNanF32);
  EXPECT_EQ(code(inf, -1, 5), 0xff800000u);
  EXPECT_EQ(code(1, 1, inf), 0x7f800000u);
  EXPECT_EQ(fused_dot(kH200, kTf32, kTf32, Accumulator::f32, std::vector<std::uint32_t>{0x7f800001}.data(),
                      std::vector<std::uint32_t>{0x3f800000}.data(), 1, 0),
            0x7f800000u)
      << "the low 13 bits of tf32 are not read";
}

TEST(FusedDot, ProductsHaveNoExponentLimitButResultsDo) {
  EXPECT_EQ(dot(kH200, kBf16, Accumulator::f32, {{p2(100), p2(100)}, {-p2(100), p2(100)}, {1, 1}}), 0u);
  EXPECT_EQ(dot(kH200, kBf16, Accumulator::f32, {{p2(100), p2(27)}, {p2(100), p2(27)}}), 0x7f800000u);
  EXPECT_EQ(dot(kH200, kF16, Accumulator::f16, {{p2(15), 1}, {p2(15), 1}}), 0x7c00u);
}

TEST(FusedDot, ZeroResultsArePositive) {
  EXPECT_EQ(dot(kH200, kF16, Accumulator::f32, {{1, 1}, {-1, 1}}), 0u);
  EXPECT_EQ(dot(kH200, kF16, Accumulator::f32, {{-0.0, 1}}, -0.0), 0u);
  EXPECT_EQ(dot(kH200, kF16, Accumulator::f16, {{-p2(-13), p2(-13)}}), 0u) << "measured on an H200";
}

TEST(FusedDot, TraceAddsUp) {
  std::vector<std::uint32_t> a, b;
  for (int i = 0; i < 16; ++i) {
    a.push_back(from_float(kF16, 1.0f + static_cast<float>(i) / 7));
    b.push_back(from_float(kF16, std::ldexp(i % 2 ? -1.3f : 1.7f, -i)));
  }
  std::vector<BlockTrace> trace;
  const std::uint32_t result =
      fused_dot(kA100, kF16, kF16, Accumulator::f32, a.data(), b.data(), 16, 0x3f9d70a4, &trace);
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace[1].result, result);
  for (const BlockTrace& block : trace) {
    ASSERT_EQ(block.terms.size(), 9u);
    std::int64_t sum = 0;
    for (const TermTrace& term : block.terms) {
      sum += term.aligned;
      EXPECT_EQ(std::ldexp(static_cast<double>(term.aligned), block.alignment - 24) + term.lost, term.exact);
      EXPECT_LE(term.exponent, block.alignment);
    }
    EXPECT_EQ(sum, block.sum);
  }
  EXPECT_EQ(trace[1].terms[0].a, trace[0].result);
}

}  // namespace
}  // namespace stc::arith
