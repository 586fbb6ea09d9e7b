// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/float_bits.h"

#include <cfenv>
#include <cmath>
#include <random>

#include "validation/gpu/mixed.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

std::vector<u32> floats() {
  std::vector<u32> v = {0,          0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000,
                        0x3f7fffff, 0x3f800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                        0x7f800001, 0x34000000, 0x4b800000, 0x4b7fffff, 0x0c000000, 0x8b800001};
  std::mt19937 random(2);
  for (int i = 0; i < 40; ++i) v.push_back(static_cast<u32>(random()));
  return v;
}

int host_mode(Rounding r) {
  switch (r) {
    case Rounding::kNearestEven: return FE_TONEAREST;
    case Rounding::kDown: return FE_DOWNWARD;
    case Rounding::kUp: return FE_UPWARD;
    case Rounding::kZero: return FE_TOWARDZERO;
  }
  return FE_TONEAREST;
}

/// The host's own operation in a rounding mode; every NaN is the GPU's.
template <class F>
u32 host(Rounding rounding, F f) {
  std::fesetround(host_mode(rounding));
  const volatile float result = f();
  std::fesetround(FE_TONEAREST);
  return canonical(as_bits(result));
}

TEST(SinglePrecision, AddMultiplyAndFuseInEveryRoundingMode) {
  Machine m;
  const auto values = floats();
  for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kDown, Rounding::kUp, Rounding::kZero}) {
    Instruction add = make(Opcode::kFadd, 4, reg(0), reg(1));
    Instruction multiply = make(Opcode::kFmul, 4, reg(0), reg(1));
    Instruction fuse = make(Opcode::kFfma, 4, reg(0), reg(1), reg(2));
    add.mod.rounding = multiply.mod.rounding = fuse.mod.rounding = rounding;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const u32 b : values) {
        const u32 a = values[i], c = values[(i * 7 + 3) % values.size()];
        const volatile float x = as_float(a), y = as_float(b), z = as_float(c);
        ASSERT_EQ(m.eval(add, a, b), host(rounding, [&] { return x + y; })) << std::hex << a << " " << b;
        ASSERT_EQ(m.eval(multiply, a, b), host(rounding, [&] { return x * y; })) << std::hex << a << " " << b;
        ASSERT_EQ(m.eval(fuse, a, b, c), host(rounding, [&] { return std::fma(x, y, z); }))
            << std::hex << a << " " << b << " " << c;
      }
    }
  }
}

TEST(SinglePrecision, SignModifiers) {
  Machine m;
  EXPECT_EQ(m.eval(make(Opcode::kFadd, 4, negated(magnitude(reg(0))), reg(1)), as_bits(-2.0f), as_bits(5.0f)),
            as_bits(3.0f));
  EXPECT_EQ(m.eval(make(Opcode::kFmul, 4, negated(reg(0)), constant(0)), as_bits(1.0f)), 0x80000000u | 64u);
}

TEST(SinglePrecision, FlushesSubnormalsInAndOut) {
  Machine m;
  Instruction add = make(Opcode::kFadd, 4, reg(0), reg(1));
  add.mod.ftz = true;
  EXPECT_EQ(m.eval(add, 0x007fffff, 0x80000001), 0u);
  EXPECT_EQ(m.eval(add, 0x807fffff, 0x80000001), 0x80000000u);
  EXPECT_EQ(m.eval(add, 0x00800001, 0x80800000), 0u);  // the difference is subnormal
  add.mod.ftz = false;
  EXPECT_EQ(m.eval(add, 0x00800001, 0x80800000), 1u);
}

TEST(SinglePrecision, FlushesWhatIsSubnormalRoundedTo24Bits) {
  // An H200: 2^-126 (1 - 2^-24) is flushed although the steps of subnormals round it up, 2^-126 (1 - 2^-64) is not.
  Machine m;
  Instruction multiply = make(Opcode::kFmul, 4, reg(0), reg(1));
  Instruction fuse = make(Opcode::kFfma, 4, reg(0), reg(1), reg(2));
  EXPECT_EQ(m.eval(multiply, 0x00800000, 0x3f7fffff), 0x00800000u);
  multiply.mod.ftz = fuse.mod.ftz = true;
  EXPECT_EQ(m.eval(multiply, 0x00800000, 0x3f7fffff), 0u);
  EXPECT_EQ(m.eval(multiply, 0x80800000, 0x3f7fffff), 0x80000000u);
  EXPECT_EQ(m.eval(multiply, 0x00800000, 0x3f800000), 0x00800000u);
  EXPECT_EQ(m.eval(fuse, 0x33800000, 0x80800000, 0x00800000), 0u);
  EXPECT_EQ(m.eval(fuse, 0x00800001, 0x1f800000, 0x80800000), 0x80800000u);
  fuse.mod.rounding = Rounding::kUp;
  EXPECT_EQ(m.eval(fuse, 0x00800001, 0x1f800000, 0x80800000), 0x80000000u);
}

TEST(SinglePrecision, Saturation) {
  Machine m;
  Instruction add = make(Opcode::kFadd, 4, reg(0), reg(1));
  add.mod.saturate = true;
  EXPECT_EQ(m.eval(add, as_bits(0.5f), as_bits(0.75f)), as_bits(1.0f));
  EXPECT_EQ(m.eval(add, as_bits(0.5f), as_bits(-0.75f)), 0u);
  EXPECT_EQ(m.eval(add, 0x7f800000, 0xff800000), 0u);  // NaN
  EXPECT_EQ(m.eval(add, as_bits(0.25f), as_bits(0.5f)), as_bits(0.75f));
}

TEST(SinglePrecision, SixteenComparisons) {
  Machine m;
  for (const u32 a : floats()) {
    for (const u32 b : floats()) {
      const float x = as_float(a), y = as_float(b);
      const bool nan = std::isnan(x) || std::isnan(y);
      const bool base[] = {false, x<y, x == y, x <= y, x> y, x < y || x > y, x >= y, !nan};
      for (int code = 0; code < 16; ++code) {
        Instruction i = make(Opcode::kFsetp, kRegisterZero, reg(0), reg(1));
        i.mod.compare = static_cast<Compare>(code);
        i.dest_predicate0 = 0;
        m.set(0, a), m.set(1, b);
        m.run(i);
        ASSERT_EQ(m.predicate(0), base[code & 7] || (code >= 8 && nan)) << std::hex << a << " " << b << " " << code;
      }
    }
  }
}

TEST(SinglePrecision, MinimumAndMaximum) {
  Machine m;
  const auto pick = [&](u32 a, u32 b, bool minimum, int variant = 0) {
    Instruction i = make(Opcode::kFmnmx, 4, reg(0), reg(1));
    i.source_predicate0 = pred(kPredicateTrue, !minimum);
    i.mod.variant = static_cast<std::uint16_t>(variant);
    return m.eval(i, a, b);
  };
  EXPECT_EQ(pick(0, 0x80000000, true), 0x80000000u);
  EXPECT_EQ(pick(0x80000000, 0, false), 0u);
  EXPECT_EQ(pick(0x7fc00000, as_bits(3.0f), true), as_bits(3.0f));
  EXPECT_EQ(pick(as_bits(3.0f), 0xffc00001, false), as_bits(3.0f));
  EXPECT_EQ(pick(0x7fc00000, 0xffc00000, true), kNan32);
  EXPECT_EQ(pick(0x7fc00000, as_bits(3.0f), true, 1), kNan32);
  EXPECT_EQ(pick(as_bits(-3.0f), as_bits(-2.0f), true), as_bits(-3.0f));
  EXPECT_EQ(pick(as_bits(-3.0f), as_bits(-2.0f), false), as_bits(-2.0f));
}

TEST(SinglePrecision, SetAndSelect) {
  Machine m;
  Instruction set = make(Opcode::kFset, 4, reg(0), reg(1));
  set.mod.compare = Compare::kGt;
  EXPECT_EQ(m.eval(set, as_bits(2.0f), as_bits(1.0f)), ~0u);
  set.mod.variant = 1;
  EXPECT_EQ(m.eval(set, as_bits(2.0f), as_bits(1.0f)), as_bits(1.0f));
  m.warp.p[0] = 0x2;
  Instruction select = make(Opcode::kFsel, 4, negated(reg(0)), reg(1));
  select.source_predicate0 = pred(0);
  m.eval(select, as_bits(2.0f), as_bits(1.0f));
  EXPECT_EQ(m.get(4, 0), as_bits(1.0f));
  EXPECT_EQ(m.get(4, 1), as_bits(-2.0f));
}

TEST(DoublePrecision, PairsImmediatesAndRounding) {
  Machine m;
  const double third = 1.0 / 3.0;
  m.set64(0, as_bits64(third)), m.set64(2, as_bits64(1e20)), m.set64(6, as_bits64(-2.5));
  m.run(make(Opcode::kDadd, 8, reg(0), reg(2)));
  EXPECT_EQ(m.get64(8), as_bits64(third + 1e20));
  m.run(make(Opcode::kDmul, 8, negated(reg(0)), imm(0x40080000)));  // 3.0 by its upper word
  EXPECT_EQ(m.get64(8), as_bits64(-third * 3.0));
  m.run(make(Opcode::kDfma, 8, reg(0), reg(6), magnitude(reg(6))));
  EXPECT_EQ(m.get64(8), as_bits64(std::fma(third, -2.5, 2.5)));
  Instruction down = make(Opcode::kDmul, 8, reg(0), reg(0));
  down.mod.rounding = Rounding::kDown;
  m.run(down);
  const std::uint64_t lower = m.get64(8);
  down.mod.rounding = Rounding::kUp;
  m.run(down);
  EXPECT_EQ(m.get64(8), lower + 1);
  Instruction compare = make(Opcode::kDsetp, kRegisterZero, reg(6), reg(0));
  compare.mod.compare = Compare::kLt;
  compare.dest_predicate0 = 2;
  m.run(compare);
  EXPECT_TRUE(m.predicate(2));
}

TEST(DoublePrecision, MinimumAndMaximumSelect) {
  const double nan = std::nan("");
  struct Row {
    double a, b;
    bool minimum, maximum, neither;  // a is selected; both are NaN
  };
  const Row rows[] = {{1, 2, true, false, false},      {2, 1, false, true, false},    {-0.0, 0.0, true, false, false},
                      {0.0, -0.0, false, true, false}, {nan, 1, false, false, false}, {1, nan, true, true, false},
                      {nan, nan, false, false, true}};
  for (const Row& row : rows) {
    for (const Compare compare : {Compare::kFalse, Compare::kTrue}) {
      Machine m;
      m.set64(0, as_bits64(row.a)), m.set64(2, as_bits64(row.b));
      Instruction select = make(Opcode::kDsetp, kRegisterZero, reg(0), reg(2));
      select.mod.compare = compare;
      select.dest_predicate0 = 1;
      select.dest_predicate1 = 2;
      m.run(select);
      EXPECT_EQ(m.predicate(1), compare == Compare::kFalse ? row.minimum : row.maximum) << row.a << " " << row.b;
      EXPECT_EQ(m.predicate(2), row.neither) << row.a << " " << row.b;
    }
  }
}

TEST(DoublePrecision, MatrixProduct) {
  Machine m;
  const auto set = [&](int r, std::size_t lane, double v) {
    const std::uint64_t bits = as_bits64(v);
    m.warp.r[static_cast<std::size_t>(r)][lane] = static_cast<u32>(bits);
    m.warp.r[static_cast<std::size_t>(r) + 1][lane] = static_cast<u32>(bits >> 32);
  };
  const auto a = [](std::size_t row, std::size_t k) { return static_cast<double>(row * 5 + k * 3) - 9; };
  const auto b = [](std::size_t k, std::size_t column) { return static_cast<double>(column * 7 + k) * 0.5 - 11; };
  for (std::size_t lane = 0; lane < 32; ++lane) {
    set(0, lane, a(lane / 4, lane % 4));
    set(2, lane, b(lane % 4, lane / 4));
    set(4, lane, 1000.0), set(6, lane, 2000.0);
  }
  Instruction product = make(Opcode::kDmma, 8, reg(0), reg(2), reg(4));
  product.mma.m = 8;
  product.mma.k = 4;
  m.run(product);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t half = 0; half < 2; ++half) {
      double expected = half == 0 ? 1000 : 2000;
      for (std::size_t k = 0; k < 4; ++k) expected += a(lane / 4, k) * b(k, 2 * (lane % 4) + half);
      EXPECT_EQ(m.get64(8 + 2 * static_cast<int>(half), static_cast<int>(lane)), as_bits64(expected)) << lane;
    }
  }
}

TEST(DoublePrecision, NansOfOperandsPassQuietly) {
  Machine m;
  const auto run = [&](Instruction i, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
    for (const auto& [r, v] : {std::pair{0, a}, {2, b}, {4, c}})
      m.set(r, static_cast<u32>(v)), m.set(r + 1, static_cast<u32>(v >> 32));
    m.run(i);
    return m.get64(8, 0);
  };
  constexpr std::uint64_t kOne = 0x3ff0000000000000, kQuiet = 0xfff8000000000000, kSignalling = 0x7ff0000000000001;
  EXPECT_EQ(run(make(Opcode::kDadd, 8, reg(0), negated(reg(2))), kOne, kQuiet), kQuiet);  // its sign stays
  EXPECT_EQ(run(make(Opcode::kDadd, 8, reg(0), reg(2)), kQuiet, kSignalling), kSignalling | kQuiet64);
  EXPECT_EQ(run(make(Opcode::kDmul, 8, magnitude(reg(0)), reg(2)), kQuiet, kOne), kQuiet);
  EXPECT_EQ(run(make(Opcode::kDfma, 8, reg(0), reg(2), reg(4)), kQuiet, kOne, kSignalling), kSignalling | kQuiet64);
  EXPECT_EQ(run(make(Opcode::kDfma, 8, reg(0), reg(2), reg(4)), kOne, kQuiet, kSignalling), kQuiet);
}

TEST(Mufu, FunctionsAndTheirEnds) {
  Machine m;
  const auto mufu = [&](MufuFunction f, float v) {
    Instruction i = make(Opcode::kMufu, 4, {}, reg(0));
    i.mod.mufu = f;
    return as_float(m.eval(i, as_bits(v)));
  };
  EXPECT_EQ(mufu(MufuFunction::kRcp, 4.0f), 0.25f);
  EXPECT_TRUE(std::isinf(mufu(MufuFunction::kRcp, 0.0f)));
  EXPECT_TRUE(std::isinf(mufu(MufuFunction::kRcp, 1e-40f)));  // subnormal operands count as zero
  EXPECT_EQ(mufu(MufuFunction::kRsq, 16.0f), 0.25f);
  EXPECT_EQ(mufu(MufuFunction::kEx2, 3.0f), 8.0f);
  EXPECT_EQ(mufu(MufuFunction::kEx2, -140.0f), 0.0f);
  EXPECT_EQ(mufu(MufuFunction::kLg2, 8.0f), 3.0f);
  EXPECT_NEAR(mufu(MufuFunction::kSin, 0.25f), 1.0f, 1e-6f);  // the operand counts turns
  EXPECT_NEAR(mufu(MufuFunction::kCos, 2.5f), -1.0f, 1e-6f);
  EXPECT_NEAR(mufu(MufuFunction::kTanh, 0.5f), std::tanh(0.5f), 1e-4f);
  EXPECT_TRUE(std::isnan(mufu(MufuFunction::kSqrt, -1.0f)));
  EXPECT_EQ(mufu(MufuFunction::kTanh, -1e-40f), -1e-40f);  // kept
}

TEST(SinglePrecision, MinimumWithTheProductOfSigns) {
  Machine m;
  Instruction i = make(Opcode::kFmnmx, 4, magnitude(reg(0)), magnitude(reg(1)));
  i.mod.variant = 2;
  EXPECT_EQ(m.eval(i, as_bits(-3.0f), as_bits(5.0f)), as_bits(-3.0f));
  EXPECT_EQ(m.eval(i, as_bits(-3.0f), as_bits(-5.0f)), as_bits(3.0f));
  EXPECT_EQ(m.eval(i, 0xffc00000, 0xffc00000), kNan32);
  i = make(Opcode::kHmnmx2, 4, magnitude(reg(0)), magnitude(reg(1)));
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.variant = 3;
  EXPECT_EQ(m.eval(i, 0xbc003c00, 0x4000fe00), 0xbc007fffu);
}

/// All operands of 16 bits, as an H200 (measured/h200/special_functions.csv).
TEST(Mufu, HalvesAreTruncated) {
  Machine m;
  const auto hash_of = [&](MufuFunction function, ScalarType type) {
    Instruction i = make(Opcode::kMufu, 4, {}, reg(0));
    i.mod.mufu = function;
    i.mod.source_type = type;
    std::uint64_t hash = 0;
    for (u32 x = 0; x < 0x10000; ++x) hash += mixed(x, m.eval(i, x));
    return hash;
  };
  EXPECT_EQ(hash_of(MufuFunction::kEx2, ScalarType::kF16), 0x4112049e9a6fc3baULL);
  EXPECT_EQ(hash_of(MufuFunction::kTanh, ScalarType::kF16), 0x43b3860c2fb36d58ULL);
  EXPECT_EQ(hash_of(MufuFunction::kEx2, ScalarType::kBf16), 0xa564d34aaf5f8c25ULL);
  EXPECT_EQ(hash_of(MufuFunction::kTanh, ScalarType::kBf16), 0xac124b3a953d5532ULL);
}

TEST(Mufu, UpperWordsOfDoubles) {
  Machine m;
  const auto mufu = [&](MufuFunction f, u32 upper) {
    Instruction i = make(Opcode::kMufu, 4, {}, reg(0));
    i.mod.mufu = f;
    return m.eval(i, upper);
  };
  EXPECT_EQ(mufu(MufuFunction::kRcp64h, 0x40000000), 0x3fe00000u);
  EXPECT_EQ(mufu(MufuFunction::kRcp64h, 0x800fffff), 0xfff00000u);  // subnormal operands count as zero
  EXPECT_EQ(mufu(MufuFunction::kRcp64h, 0xffe00000), 0x80000000u);  // so do subnormal results
  EXPECT_EQ(mufu(MufuFunction::kRcp64h, 0x7ff80000), 0x7fffffffu);
  EXPECT_EQ(mufu(MufuFunction::kRsq64h, 0x40100000), 0x3fe00000u);
  EXPECT_EQ(mufu(MufuFunction::kRsq64h, 0x00080000), 0x7ff00000u);
  EXPECT_EQ(mufu(MufuFunction::kRsq64h, 0xbff00000), 0x7fffffffu);
}

}  // namespace
}  // namespace stc::isa
