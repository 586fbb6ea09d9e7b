// SPDX-License-Identifier: Apache-2.0
// Every instruction, every selector, through registers, against an integer product of the decompressed matrix: small
// integers are exact in every format, so one oracle serves all.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/arith/convert.h"
#include "models/isa/mma/mma_catalogue.h"
#include "models/isa/products/execute_mma.h"
#include "models/sparsity/compress.h"
#include "validation/gpus.h"

namespace stc::isa {
namespace {

using Matrix = std::vector<int>;

std::uint32_t encode(NumberFormat format, int value) {
  switch (format) {
    case NumberFormat::f16: return arith::from_float(arith::kF16, static_cast<float>(value));
    case NumberFormat::bf16: return arith::from_float(arith::kBf16, static_cast<float>(value));
    case NumberFormat::tf32: return arith::from_float(arith::kTf32, static_cast<float>(value));
    case NumberFormat::e4m3: return arith::from_float(arith::kE4m3, static_cast<float>(value));
    case NumberFormat::e5m2: return arith::from_float(arith::kE5m2, static_cast<float>(value));
    case NumberFormat::f32: return arith::bits_of_float(static_cast<float>(value));
    default: return static_cast<std::uint32_t>(value);
  }
}

bool is_unsigned(NumberFormat format) { return format == NumberFormat::u8 || format == NumberFormat::u4; }

class Random {
 public:
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  Matrix matrix(int count, NumberFormat format) {
    Matrix out(static_cast<std::size_t>(count));
    for (int& x : out) x = is_unsigned(format) ? below(8) : below(8) - 4;
    return out;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_{3};
};

std::vector<std::uint32_t> image(const GatherTable& table, NumberFormat format, const Matrix& values, int registers) {
  std::vector<std::uint32_t> codes, words(static_cast<std::size_t>(registers) * 32);
  for (const int value : values) codes.push_back(encode(format, value));
  pack_registers(table, bits_of(format), codes.data(), registers, words.data());
  return words;
}

/// D through registers, as integers would be encoded.
std::vector<std::uint32_t> run(const MmaOp& op, const arith::Numerics& numerics, const Matrix& a, const Matrix& b,
                               const Matrix& c, const std::vector<std::uint32_t>& e, int selector) {
  const MmaTables& tables = mma_tables(op);
  const auto a_image = image(tables.a, op.a, a, op.a_registers());
  const auto b_image = image(tables.b, op.b, b, op.b_registers());
  const auto c_image = image(tables.c, op.c, c, op.c_registers());
  std::vector<std::uint32_t> d(c_image.size());
  mma_registers(op, numerics, a_image.data(), b_image.data(), c_image.data(), e.data(), selector, d.data());
  return d;
}

/// One instruction on random small integers through registers; returns the number of nonzero outputs.
int check_product(const MmaOp& op, int sm, int selector, Random& random) {
  const MmaTables& tables = mma_tables(op);
  const Matrix stored = random.matrix(op.m * op.stored_k(), op.a);
  const Matrix b = random.matrix(op.k * op.n, op.b);
  const Matrix c = random.matrix(op.m * op.n, op.c);
  Matrix dense = stored;
  std::vector<std::uint32_t> e(static_cast<std::size_t>(std::max(1, tables.metadata_registers)) * 32);
  for (std::uint32_t& word : e) word = random.word();  // the bits of other selectors must not matter
  if (op.sparse) {
    std::vector<float> magnitudes(static_cast<std::size_t>(op.m * op.k));
    for (float& x : magnitudes) x = static_cast<float>(random.below(1000));
    const auto indices = sparsity::prune_by_magnitude(op.pattern, op.m, op.k, magnitudes.data());
    metadata_layout(op).pack(indices.data(), selector, e.data());
    dense = sparsity::decompress(sparsity::Compressed<int>{op.pattern, op.m, op.k, stored, indices});
  }
  Matrix expected = c;
  for (int row = 0; row < op.m; ++row) {
    for (int column = 0; column < op.n; ++column) {
      for (int k = 0; k < op.k; ++k) {
        expected[static_cast<std::size_t>(row * op.n + column)] +=
            dense[static_cast<std::size_t>(row * op.k + k)] * b[static_cast<std::size_t>(k * op.n + column)];
      }
    }
  }
  EXPECT_EQ(run(op, validation::gpu_of(sm).numerics, stored, b, c, e, selector),
            image(tables.c, op.c, expected, op.c_registers()))
      << op.name() << " " << op.pattern.name() << " on sm_" << sm << ", selector " << selector;
  return static_cast<int>(std::count_if(expected.begin(), expected.end(), [](int x) { return x != 0; }));
}

TEST(Mma, EveryInstructionEqualsTheDecompressedIntegerProduct) {
  Random random;
  int nonzero = 0;
  for (const int sm : {80, 90}) {
    for (const MmaCatalogueEntry& entry : mma_catalogue(sm)) {
      for (int selector = 0; selector < std::max(1, entry.selectors); ++selector) {
        nonzero += check_product(entry.op, sm, selector, random);
      }
    }
  }
  EXPECT_GT(nonzero, 10000);
}

TEST(Mma, PatternsThatNoGpuHasFollowTheSameRule) {
  struct Shape {
    const char* pattern;
    std::uint16_t k;
    NumberFormat format, accumulator;
  };
  const NumberFormat f16 = NumberFormat::f16, f32 = NumberFormat::f32, s8 = NumberFormat::s8;
  const Shape shapes[] = {{"1:4", 64, f16, f32},
                          {"2:16", 128, f16, f32},
                          {"4:8", 32, f16, f32},
                          {"1:16", 256, f16, f32},
                          {"6:8", 64, f16, f32},
                          {"1:2", 32, f16, f32},
                          {"2:8", 32, NumberFormat::tf32, f32},
                          {"2:8", 128, s8, NumberFormat::s32},
                          {"4:16/2", 64, f16, f32},
                          {"1:32", 512, f16, f32}};
  Random random;
  for (const Shape& shape : shapes) {
    MmaOp op;
    op.k = shape.k;
    op.a = op.b = shape.format;
    op.c = shape.accumulator;
    op.sparse = true;
    op.pattern = sparsity::Pattern::parse(shape.pattern);
    for (int selector = 0; selector < metadata_layout(op).selectors(); ++selector) {
      EXPECT_GT(check_product(op, 80, selector, random), 60);
    }
  }
}

TEST(SparseMma, IndicesMayBeUnorderedOrEqual) {
  const MmaOp op = parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32");
  const Matrix stored(16 * 16, 1), c(16 * 8, 0);
  Matrix b(32 * 8);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1 << (i / 8 % 4);  // the row's place in its group of four
  for (std::uint32_t nibble = 0; nibble < 16; ++nibble) {
    const std::vector<std::uint32_t> e(32, nibble * 0x11111111u);
    const int sum = 8 * ((1 << (nibble & 3)) + (1 << (nibble >> 2)));
    const auto d = run(op, validation::h200().numerics, stored, b, c, e, 0);
    for (const std::uint32_t bits : d) EXPECT_EQ(arith::float_of_bits(bits), static_cast<float>(sum)) << nibble;
  }
}

TEST(SparseMma, Tf32NibblesNameTwoHalves) {
  const MmaOp op = parse_mma_name("mma.sp.m16n8k16.f32.tf32.tf32.f32");
  const Matrix stored(16 * 8, 1), c(16 * 8, 0);
  Matrix b(16 * 8);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = i / 8 % 2 == 0 ? 1 : 100;
  EXPECT_EQ(arith::float_of_bits(
                run(op, validation::a100().numerics, stored, b, c, std::vector<std::uint32_t>(32, 0x44444444u), 1)[0]),
            8.0f);
  EXPECT_EQ(arith::float_of_bits(
                run(op, validation::a100().numerics, stored, b, c, std::vector<std::uint32_t>(32, 0xeeeeeeeeu), 1)[0]),
            800.0f);
}

TEST(SparseMma, BlocksFollowStoredOrder) {
  // +1, -1 in stored places 0 and 1, a tiny product in stored place 8: a later block on sm_80 (blocks of 8 stored
  // products), the same block on sm_90.
  const MmaOp op = parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32");
  std::vector<std::uint32_t> a(16 * 16, 0), b(32 * 8, 0x3c00), c(128, 0), d(128);
  std::vector<std::uint16_t> select(16 * 16);
  for (std::size_t i = 0; i < select.size(); ++i) select[i] = static_cast<std::uint16_t>(i % 16 / 2 * 4 + i % 2);
  for (std::size_t row = 0; row < 16; ++row) {
    a[row * 16] = 0x3c00;
    a[row * 16 + 1] = 0xbc00;
    a[row * 16 + 8] = 0x0001;  // 2^-24
  }
  for (std::size_t column = 0; column < 8; ++column) b[16 * 8 + column] = 0x3400;  // 2^-2
  mma_matrices(op, validation::a100().numerics, a.data(), b.data(), select.data(), c.data(), d.data());
  EXPECT_EQ(d[0], 0x32800000u);
  mma_matrices(op, validation::h200().numerics, a.data(), b.data(), select.data(), c.data(), d.data());
  EXPECT_EQ(d[0], 0u);
}

}  // namespace
}  // namespace stc::isa
