// SPDX-License-Identifier: Apache-2.0
// BMMA from compiled kernels (sm_90 makes .xor of two of them) against the operand layout as the PTX ISA words it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using Words = std::vector<std::uint32_t>;

struct Shape {
  std::uint32_t rows, k;
  std::uint32_t a() const { return rows * k / 1024; }
  std::uint32_t b() const { return k / 128; }
  std::uint32_t c() const { return rows / 4; }
  std::uint32_t all() const { return a() + b() + c(); }
};

class Binary : public KernelFixture {
 protected:
  Words launch(const Shape& shape, const char* operation, const Words& in) {
    memory_ = {};
    const auto out = reserve("out", 32 * 4 * shape.c()), from = upload("in", in);
    const std::string name = fmt::format("binary_{}x{}_{}", shape.rows, shape.k, operation);
    run(load("sample_binary", name), {1, 1, 1}, {32, 1, 1}, Arguments().add(out).add(from));
    return download<std::uint32_t>("out");
  }
};

/// Output register `r` of `lane`: lane 4 g + t holds columns 2 t and 2 t + 1 of rows g and g + 8; bits k of a row or
/// column lie with lane k / 32 mod 4 of its four.
std::uint32_t expected(const Shape& shape, bool exclusive_or, const Words& in, std::uint32_t lane, std::uint32_t r) {
  const auto word = [&](std::uint32_t of_lane, std::uint32_t index) { return in[of_lane * shape.all() + index]; };
  const std::uint32_t row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
  std::uint32_t sum = word(lane, shape.a() + shape.b() + r);
  for (std::uint32_t k = 0; k < shape.k; ++k) {
    const std::uint32_t holder = k / 32 % 4, half = k / 128, halves_of_rows = shape.rows / 8;
    const std::uint32_t a = word(row % 8 * 4 + holder, row / 8 + half * halves_of_rows) >> k % 32 & 1u;
    const std::uint32_t b = word(column * 4 + holder, shape.a() + half) >> k % 32 & 1u;
    sum += exclusive_or ? a ^ b : a & b;
  }
  return sum;
}

TEST_P(Binary, ProductsCountBits) {
  std::mt19937 random(3);
  for (const Shape& shape : {Shape{8, 128}, Shape{16, 128}, Shape{16, 256}}) {
    Words in(32 * shape.all());
    for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random());
    for (const char* operation : {"and", "xor"}) {
      const Words out = launch(shape, operation, in);
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        const bool exclusive_or = std::string(operation) == "xor";
        EXPECT_EQ(out[i], expected(shape, exclusive_or, in, i / shape.c(), i % shape.c()))
            << shape.rows << " x " << shape.k << " " << operation << " lane " << i / shape.c();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Binary, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
