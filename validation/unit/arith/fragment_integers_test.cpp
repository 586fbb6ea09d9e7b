// SPDX-License-Identifier: Apache-2.0
// The integer product on fragments equals that on matrices, compiled for every kind of processor that this one can run.
#include "models/arith/fragment_integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/arith/integer_dot.h"
#include "validation/unit/arith/operand_source.h"

namespace stc::arith {
namespace {

/// Matrices of bytes, and the same as register images.
struct ByteOperands {
  ByteOperands(int depth, bool sparse, bool a_signed, bool b_signed, std::mt19937& random)
      : shape{16, depth, sparse ? 2 * depth : depth} {
    const auto byte = [&](bool is_signed) {
      // The ends of the range often, so that sums become large.
      const std::uint32_t bits = random() % 3 == 0 ? (random() % 2 == 0 ? 0x80 : 0x7f) : random() & 0xff;
      return std::pair(bits,
                       is_signed ? std::int32_t{static_cast<std::int8_t>(bits)} : static_cast<std::int32_t>(bits));
    };
    const auto put = [](std::vector<std::uint32_t>& image, int reg, int line, int element, std::uint32_t bits) {
      image.resize(std::max(image.size(), static_cast<std::size_t>(reg + 1) * 32));
      image[static_cast<std::size_t>(reg * 32 + line * 4 + element % 16 / 4)] |= bits << element % 4 * 8;
    };
    index.resize(static_cast<std::size_t>(depth));
    for (int row = 0; row < 16; ++row) {
      for (int p = 0; p < depth; ++p) {
        const auto [bits, value] = byte(a_signed);
        a.push_back(value);
        put(a_image, row / 8 + p / 16 * 2, row % 8, p, bits);
        const std::uint32_t chosen = random() % 4;
        index[static_cast<std::size_t>(row * (depth / 16) + p / 16)] |= chosen << p % 16 * 2;
        select.push_back(static_cast<std::uint16_t>(p / 2 * 4 + static_cast<int>(chosen)));
      }
    }
    for (int k = 0; k < shape.b_rows; ++k) {
      for (int column = 0; column < 8; ++column) {
        const auto [bits, value] = byte(b_signed);
        b.push_back(value);
        put(b_image, k / 16, column, k, bits);
      }
    }
    c_image.resize(128);
    for (int i = 0; i < 128; ++i) {
      c.push_back(random() % 2 == 0 ? static_cast<std::uint32_t>(random())
                                    : 0x7fffffffu + static_cast<std::uint32_t>(random() % 20000) - 10000u);
      c_image[place(i)] = c.back();
    }
    dot.a_signed = a_signed;
    dot.b_signed = b_signed;
    dot.depth = depth;
    dot.index = sparse ? index.data() : nullptr;
    dot.a = a_image.data();
    dot.b = b_image.data();
    dot.c = c_image.data();
  }
  ByteOperands(const ByteOperands&) = delete;
  ByteOperands& operator=(const ByteOperands&) = delete;

  static std::size_t place(int output) {
    const int row = output / 8, column = output % 8;
    return static_cast<std::size_t>((row / 8 * 2 + column % 2) * 32 + row % 8 * 4 + column / 2);
  }
  std::vector<std::uint32_t> expected() const {
    std::vector<std::uint32_t> d(128), image(128);
    integer_tile(shape, dot.saturate, a.data(), b.data(), dot.index == nullptr ? nullptr : select.data(), c.data(),
                 d.data());
    for (int i = 0; i < 128; ++i) image[place(i)] = d[static_cast<std::size_t>(i)];
    return image;
  }

  FragmentIntegers dot;
  TileShape shape;
  std::vector<std::int32_t> a, b;
  std::vector<std::uint32_t> c, a_image, b_image, c_image, index;
  std::vector<std::uint16_t> select;
};

class FragmentIntegersOn : public testing::TestWithParam<FragmentIntegersVariant> {};

TEST_P(FragmentIntegersOn, EqualTheProductOfMatrices) {
  std::mt19937 random(5);
  for (int i = 0; i < 400; ++i) {
    ByteOperands operands(16 << i % 3, i / 3 % 2 != 0, i / 6 % 2 != 0, i / 12 % 2 != 0, random);
    operands.dot.saturate = i / 24 % 2 != 0;
    std::vector<std::uint32_t> d(128);
    GetParam().compute(operands.dot, d.data());
    ASSERT_EQ(d, operands.expected()) << "tile " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, FragmentIntegersOn, testing::ValuesIn(fragment_integers_variants()),
                         [](const auto& tested) { return test_name(tested.param.name); });

}  // namespace
}  // namespace stc::arith
