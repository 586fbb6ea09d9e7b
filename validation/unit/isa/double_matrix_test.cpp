// SPDX-License-Identifier: Apache-2.0
// DMMA of all shapes bit for bit as an H200 computes it: mma_double.bin, 8 cases a shape, among them cancellation, NaNs
// with payloads, infinities, subnormals and sums that overflow.
#include <cstring>
#include <fstream>

#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using Images = std::vector<std::uint64_t>;  // lane-major, case after case

constexpr int kCases = 8;
constexpr int kA = 0, kB = 16, kD = 24;  // first registers; C and D are the same

struct Shape {
  std::uint8_t m;
  std::uint16_t k;
  int a() const { return m * k / 32; }
  int b() const { return k / 4; }
  int c() const { return m / 4; }
};

Images read(std::ifstream& file, int per_lane) {
  Images images(static_cast<std::size_t>(kCases * 32 * per_lane));
  file.read(reinterpret_cast<char*>(images.data()), static_cast<std::streamsize>(images.size() * 8));
  return images;
}

void set_fragment(Machine& m, const Images& images, int number, int first, int per_lane) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < per_lane; ++i) {
      const std::uint64_t v = images[static_cast<std::size_t>((number * 32 + lane) * per_lane + i)];
      const auto r = static_cast<std::size_t>(first + 2 * i), l = static_cast<std::size_t>(lane);
      m.warp.r[r][l] = static_cast<std::uint32_t>(v);
      m.warp.r[r + 1][l] = static_cast<std::uint32_t>(v >> 32);
    }
  }
}

TEST(DoubleMatrix, SumsAreThoseOfAnH200) {
  std::ifstream file("validation/measured/h200/mma_double.bin", std::ios::binary);
  for (const Shape& shape : {Shape{8, 4}, Shape{16, 4}, Shape{16, 8}, Shape{16, 16}}) {
    const Images a = read(file, shape.a()), b = read(file, shape.b()), c = read(file, shape.c());
    const Images d = read(file, shape.c());
    ASSERT_TRUE(file);
    Instruction product = make(Opcode::kDmma, kD, reg(kA), reg(kB), reg(kD));
    product.mma.m = shape.m;
    product.mma.k = shape.k;
    for (int number = 0; number < kCases; ++number) {
      Machine m;
      set_fragment(m, a, number, kA, shape.a());
      set_fragment(m, b, number, kB, shape.b());
      set_fragment(m, c, number, kD, shape.c());
      m.run(product);
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < shape.c(); ++i) {
          EXPECT_EQ(m.get64(kD + 2 * i, lane), d[static_cast<std::size_t>((number * 32 + lane) * shape.c() + i)])
              << "m" << shape.m << "k" << shape.k << " case " << number << " lane " << lane << " register " << i;
        }
      }
    }
  }
  EXPECT_EQ(file.peek(), std::ifstream::traits_type::eof());
}

/// -|x| of numbers; a NaN is as it was.
std::uint64_t negative(std::uint64_t bits) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kInfinity = std::uint64_t{0x7ff} << 52;
  return (bits & ~kSign) > kInfinity ? bits : bits | kSign;
}

Images negative(Images images) {
  for (std::uint64_t& bits : images) bits = negative(bits);
  return images;
}

/// Sums of the first case of a shape.
Images sums(const Instruction& product, const Shape& shape, const Images& a, const Images& b, const Images& c) {
  Machine m;
  set_fragment(m, a, 0, kA, shape.a());
  set_fragment(m, b, 0, kB, shape.b());
  set_fragment(m, c, 0, kD, shape.c());
  m.run(product);
  Images d;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < shape.c(); ++i) d.push_back(m.get64(kD + 2 * i, lane));
  }
  return d;
}

TEST(DoubleMatrix, SignsOfOperandsAreThoseOfTheirNumbers) {
  std::ifstream file("validation/measured/h200/mma_double.bin", std::ios::binary);
  for (const Shape& shape : {Shape{8, 4}, Shape{16, 4}, Shape{16, 8}, Shape{16, 16}}) {
    const Images a = read(file, shape.a()), b = read(file, shape.b()), c = read(file, shape.c());
    read(file, shape.c());
    Instruction plain = make(Opcode::kDmma, kD, reg(kA), reg(kB), reg(kD));
    plain.mma.m = shape.m;
    plain.mma.k = shape.k;
    for (Operand Instruction::*const operand : {&Instruction::a, &Instruction::b, &Instruction::c}) {
      const bool of_a = operand == &Instruction::a, of_b = operand == &Instruction::b;
      Instruction product = plain;
      product.*operand = negated(magnitude(product.*operand));
      EXPECT_EQ(sums(product, shape, a, b, c),
                sums(plain, shape, of_a ? negative(a) : a, of_b ? negative(b) : b, of_a || of_b ? c : negative(c)))
          << "m" << shape.m << "k" << shape.k;
    }
  }
}

TEST(DoubleMatrix, ReadsAndWritesTheRegistersOfItsShape) {
  Instruction product = make(Opcode::kDmma, kD, reg(kA), reg(kB), reg(kD));
  product.mma.m = 16;
  product.mma.k = 16;
  const RegisterUse use = register_use(product);
  ASSERT_EQ(use.dest_count, 1);
  EXPECT_EQ(use.dests[0].count, 8);
  ASSERT_EQ(use.source_count, 3);
  EXPECT_EQ(use.sources[0].count, 16);
  EXPECT_EQ(use.sources[1].count, 8);
  EXPECT_EQ(use.sources[2].count, 8);
}

}  // namespace
}  // namespace stc::isa
