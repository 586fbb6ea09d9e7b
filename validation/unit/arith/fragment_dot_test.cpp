// SPDX-License-Identifier: Apache-2.0
// The dot product on fragments equals the definition, bit for bit, on operands of every kind, compiled for every kind
// of processor that this one can run.
#include "models/arith/fragment_dot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/arith/convert.h"
#include "models/arith/fused_tile.h"
#include "validation/gpus.h"
#include "validation/unit/arith/operand_source.h"

namespace stc::arith {
namespace {

struct FormatCase {
  const char* name;
  FragmentFormat format;
  FloatFormat elements;
  int bits;
  FusedDotRules rules;
};
const FormatCase kFormatCases[] = {{"f16 a100", FragmentFormat::f16, kF16, 16, validation::a100().numerics.f16()},
                                   {"f16 h200", FragmentFormat::f16, kF16, 16, validation::h200().numerics.f16()},
                                   {"f16, high floors", FragmentFormat::f16, kF16, 16, {8, 24, -9, -6, 23}},
                                   {"bf16 a100", FragmentFormat::bf16, kBf16, 16, validation::a100().numerics.f16()},
                                   {"bf16 h200", FragmentFormat::bf16, kBf16, 16, validation::h200().numerics.f16()},
                                   {"tf32 a100", FragmentFormat::tf32, kTf32, 32, validation::a100().numerics.tf32()},
                                   {"tf32 h200", FragmentFormat::tf32, kTf32, 32, validation::h200().numerics.tf32()}};

/// Matrices, and the same as register images.
struct Operands {
  Operands(const FormatCase& format, Accumulator accumulator, int depth, int b_rows, OperandSource& source,
           OperandKind kind, OperandKind c_kind)
      : c_format(accumulator == Accumulator::f32 ? kF32 : kF16), shape{16, depth, b_rows} {
    dot.rules = format.rules;
    dot.format = format.format;
    dot.accumulator = accumulator;
    dot.depth = depth;
    dot.b_rows = b_rows;
    const bool indexed = format.bits == 16 && depth <= 16 && b_rows == 2 * depth && source.below(2) != 0;
    const int in_register = 4 * 32 / format.bits;  // elements of a row or column
    const auto draw = [&] {                        // bits that are not read may be anything
      return source.element(format.elements, kind) | source.below(1u << format.elements.ignored_bits);
    };
    const auto place = [&](std::vector<std::uint32_t>& image, int reg, int line, int element, std::uint32_t bits) {
      const int word = reg * 32 + line * 4 + element % in_register * format.bits / 32;
      image.resize(std::max(image.size(), static_cast<std::size_t>(reg + 1) * 32));
      image[static_cast<std::size_t>(word)] |= bits << element * format.bits % 32;
    };
    for (int row = 0; row < 16; ++row) {
      for (int p = 0; p < depth; ++p) {
        a.push_back(draw());
        place(a_image, row / 8 + p / in_register * 2, row % 8, p, a.back());
        const unsigned selected = source.below(indexed ? 4 : static_cast<unsigned>(b_rows));
        select.push_back(static_cast<std::uint16_t>((indexed ? p / 2 * 4 : 0) + static_cast<int>(selected)));
        if (indexed) index[static_cast<std::size_t>(row)] |= selected << 2 * p;
      }
    }
    for (int k = 0; k < b_rows; ++k) {
      for (int column = 0; column < 8; ++column) {
        b.push_back(draw());
        place(b_image, k / in_register, column, k, b.back());
      }
    }
    const bool f32 = accumulator == Accumulator::f32;
    c_image.assign(f32 ? 128 : 64, 0);
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < 8; ++column) {
        c.push_back(source.element(c_format, c_kind));
        c_image[place_in_c(row, column)] |= c.back() << (f32 ? 0 : column % 2 * 16);
      }
    }
    dot.select = b_rows == depth || indexed ? nullptr : select.data();
    dot.index = indexed ? index.data() : nullptr;
    dot.a = a_image.data();
    dot.b = b_image.data();
    dot.c = c_image.data();
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  std::size_t place_in_c(int row, int column) const {
    const bool f32 = dot.accumulator == Accumulator::f32;
    return static_cast<std::size_t>((f32 ? row / 8 * 2 + column % 2 : row / 8) * 32 + row % 8 * 4 + column / 2);
  }
  /// Of D's image, as the definition has it.
  std::vector<std::uint32_t> expected(const FloatFormat& format) const {
    std::vector<std::uint32_t> d(c.size()), image(c_image.size(), 0);
    fused_tile_reference(dot.rules, format, format, dot.accumulator, shape, a.data(), b.data(),
                         shape.depth == shape.b_rows ? nullptr : select.data(), c.data(), d.data());
    for (int i = 0; i < 128; ++i) {
      const bool upper = dot.accumulator == Accumulator::f16 && i % 2 == 1;
      image[place_in_c(i / 8, i % 8)] |= d[static_cast<std::size_t>(i)] << (upper ? 16 : 0);
    }
    return image;
  }

  FragmentDot dot;
  FloatFormat c_format;
  TileShape shape;
  std::vector<std::uint32_t> a, b, c, a_image, b_image, c_image;
  std::vector<std::uint16_t> select;
  std::vector<std::uint32_t> index = std::vector<std::uint32_t>(16, 0);
};

class FragmentDotOn : public testing::TestWithParam<FragmentDotVariant> {};

TEST_P(FragmentDotOn, EqualsTheDefinition) {
  constexpr unsigned kKinds = static_cast<unsigned>(OperandKind::kCount);
  OperandSource source(11);
  for (const FormatCase& format : kFormatCases) {
    for (const Accumulator accumulator : {Accumulator::f32, Accumulator::f16}) {
      int computed = 0, tiles = 0;
      for (unsigned i = 0; i < 30 * kKinds; ++i) {
        const int unit = 128 / format.bits;
        const int depth = unit << source.below(3);
        const auto kind = static_cast<OperandKind>(i % kKinds);
        const auto c_kind = i % 3 == 0 ? OperandKind::kRawBits : static_cast<OperandKind>(source.below(kKinds));
        const Operands operands(format, accumulator, depth, depth << (i / kKinds) % 2, source, kind, c_kind);
        std::vector<std::uint32_t> d(operands.c_image.size(), 0xdeadbeef);
        ++tiles;
        if (!GetParam().compute(operands.dot, d.data())) {
          EXPECT_EQ(d, std::vector<std::uint32_t>(d.size(), 0xdeadbeef)) << "something was written";
          continue;
        }
        ++computed;
        ASSERT_EQ(d, operands.expected(format.elements)) << format.name << ", tile " << i;
      }
      EXPECT_GT(computed, tiles / 8) << format.name << ": says little";
    }
  }
}

/// Operands near one, with a C of their size, never need another path.
TEST_P(FragmentDotOn, ComputesWhatIsOrdinary) {
  OperandSource source(12);
  for (const FormatCase& format : kFormatCases) {
    for (int i = 0; i < 50; ++i) {
      const Operands operands(format, Accumulator::f32, 16, 16 << i % 2, source, OperandKind::kNormal,
                              OperandKind::kNormal);
      std::vector<std::uint32_t> d(operands.c_image.size());
      EXPECT_TRUE(GetParam().compute(operands.dot, d.data())) << format.name;
    }
  }
}

/// Sixteen products of the largest significands leave 31 bits once C is added: no lane may wrap around.
TEST_P(FragmentDotOn, LeavesSumsBeyond32BitsToOthers) {
  OperandSource source(13);
  const FormatCase& format = kFormatCases[1];
  Operands operands(format, Accumulator::f32, 16, 16, source, OperandKind::kNormal, OperandKind::kNormal);
  std::fill(operands.a_image.begin(), operands.a_image.end(), 0x3fff3fff);
  std::fill(operands.b_image.begin(), operands.b_image.end(), 0x3fff3fff);
  std::vector<std::uint32_t> d(operands.c_image.size());
  std::fill(operands.c_image.begin(), operands.c_image.end(), bits_of_float(1.9f));
  EXPECT_FALSE(GetParam().compute(operands.dot, d.data()));
  std::fill(operands.c_image.begin(), operands.c_image.end(), 0u);
  EXPECT_TRUE(GetParam().compute(operands.dot, d.data()));
  EXPECT_EQ(d[0], bits_of_float(16 * (2047.0f / 1024) * (2047.0f / 1024)));
}

INSTANTIATE_TEST_SUITE_P(Variants, FragmentDotOn, testing::ValuesIn(fragment_dot_variants()),
                         [](const auto& tested) { return test_name(tested.param.name); });

}  // namespace
}  // namespace stc::arith
