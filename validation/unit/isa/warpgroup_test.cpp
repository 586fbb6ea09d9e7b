// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions as a warp executes them: operands by descriptor and from registers, C, signs, faults.
// Small integers, so that sums are exact.
#include <gmock/gmock.h>

#include "models/isa/mma/matrix_descriptor.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using testing::HasSubstr;

constexpr int kColumns = 24, kDepth = 16;
constexpr std::uint32_t kPlaceOfA = 0x2000, kPlaceOfB = 0x4000;

std::uint16_t half(int value) {  // of small integers
  if (value == 0) return 0;
  const int magnitude = value < 0 ? -value : value, exponent = 31 - __builtin_clz(static_cast<unsigned>(magnitude));
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                                    ((magnitude << (10 - exponent)) & 0x3ff));
}
int a_of(int row, int k) { return (row * 7 + k * 3) % 11 - 5; }
int b_of(int k, int column) { return (k * 5 + column * 2) % 9 - 4; }
int c_of(int row, int column) { return row - 2 * column; }

std::uint64_t described(std::uint32_t start, std::uint32_t leading, std::uint32_t stride, unsigned swizzle) {
  return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 |
         std::uint64_t{swizzle} << 62;
}

struct Warpgroup : Machine {
  explicit Warpgroup(int warp_in_group) {
    kernel.sm_version = 90;
    warp.r.resize(64);
    warp.index_in_cta = 4 + warp_in_group;
    cta.shared.assign(0x8000, 0);
    cta.shared_role.assign(0x800, 0);
    context.numerics = &numerics;
    numerics = {16, 8, 25, -133, -21};
    in.opcode = Opcode::kHgmma;
    in.mma.m = 64, in.mma.n = kColumns, in.mma.k = kDepth, in.mma.warpgroup = true;
    in.dest = 24, in.c = reg(24), in.b = uniform(4);
    in.source_predicate0.uniform = true;
  }
  void store(std::uint32_t part, int byte, std::uint16_t value) {
    std::memcpy(cta.shared.data() + part + byte % 16, &value, 2);
  }
  void describe(int pair, std::uint64_t word) {
    warp.ur[static_cast<std::size_t>(4 + 2 * pair)] = static_cast<std::uint32_t>(word);
    warp.ur[static_cast<std::size_t>(5 + 2 * pair)] = static_cast<std::uint32_t>(word >> 32);
  }
  void a_in_memory(std::uint64_t word, bool transposed) {
    describe(0, word);
    const MatrixDescriptor d(word);
    for (int row = 0; row < 64; ++row) {
      for (int k = 0; k < kDepth; ++k) {
        const int byte = 2 * (transposed ? row : k);
        store(transposed ? d.mn_major(k, byte / 16 * 16) : d.k_major(row, byte / 16 * 16), byte, half(a_of(row, k)));
      }
    }
    if (transposed) in.mod.variant |= 1;
  }
  void b_in_memory(std::uint64_t word, bool transposed) {
    describe(1, word);
    const MatrixDescriptor d(word);
    for (int column = 0; column < kColumns; ++column) {
      for (int k = 0; k < kDepth; ++k) {
        const int byte = 2 * (transposed ? column : k);
        store(transposed ? d.mn_major(k, byte / 16 * 16) : d.k_major(column, byte / 16 * 16), byte,
              half(b_of(k, column)));
      }
    }
    if (transposed) in.mod.variant |= 2;
  }
  void a_in_registers() {
    in.a = reg(0);
    for (int r = 0; r < 4; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        const int row = row_of(lane, r % 2), k = 2 * (lane % 4) + 8 * (r / 2);
        warp.r[static_cast<std::size_t>(r)][static_cast<std::size_t>(lane)] =
            half(a_of(row, k)) | static_cast<std::uint32_t>(half(a_of(row, k + 1))) << 16;
      }
    }
  }
  int row_of(int lane, int half_of_rows) const { return 16 * (warp.index_in_cta % 4) + lane / 4 + 8 * half_of_rows; }
  /// Whether D = sign * A B + `with_c` * C everywhere.
  void expect_sums(int sign, int with_c) {
    for (int r = 0; r < kColumns / 2; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        const float c = static_cast<float>(c_of(row_of(lane, r / 2 % 2), column_of(lane, r)));
        std::memcpy(&warp.r[static_cast<std::size_t>(24 + r)][static_cast<std::size_t>(lane)], &c, 4);
      }
    }
    run(in);
    for (int r = 0; r < kColumns / 2; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        const int row = row_of(lane, r / 2 % 2), column = column_of(lane, r);
        int sum = with_c * c_of(row, column);
        for (int k = 0; k < kDepth; ++k) sum += sign * a_of(row, k) * b_of(k, column);
        float d = 0;
        std::memcpy(&d, &warp.r[static_cast<std::size_t>(24 + r)][static_cast<std::size_t>(lane)], 4);
        ASSERT_EQ(d, static_cast<float>(sum)) << "row " << row << ", column " << column;
      }
    }
  }
  static int column_of(int lane, int r) { return 8 * (r / 4) + 2 * (lane % 4) + r % 2; }

  arith::Numerics numerics;
  Instruction in;
};

TEST(WarpgroupMma, EachWarpHasSixteenRows) {
  for (int w = 0; w < 4; ++w) {
    Warpgroup group(w);
    group.a_in_memory(described(kPlaceOfA, 128, 256, 0), false);
    group.b_in_memory(described(kPlaceOfB, 128, 256, 0), false);
    group.expect_sums(1, 1);
  }
}

TEST(WarpgroupMma, OperandsUnderEverySwizzleAndMajor) {
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
    const std::uint32_t line = swizzle == 0 ? 16 : 256u >> swizzle;
    for (const int transposed : {0, 1, 2, 3}) {
      Warpgroup group(2);
      const std::uint32_t leading = swizzle == 0 ? 128 : 0x800, stride = swizzle == 0 ? 256 : 8 * line;
      const auto word = [&](std::uint32_t place, bool mn) {
        return mn ? described(place, 0x400, swizzle == 0 ? 0x80 : 8 * line, swizzle)
                  : described(place, leading, stride, swizzle);
      };
      group.a_in_memory(word(kPlaceOfA, (transposed & 1) != 0), (transposed & 1) != 0);
      group.b_in_memory(word(kPlaceOfB, (transposed & 2) != 0), (transposed & 2) != 0);
      group.expect_sums(1, 1);
    }
  }
}

TEST(WarpgroupMma, RegistersSignsAndZeros) {
  Warpgroup group(1);
  group.a_in_registers();
  group.b_in_memory(described(kPlaceOfB, 16, 1024, 1), false);
  group.expect_sums(1, 1);
  group.in.a.negate = true;
  group.expect_sums(-1, 1);
  group.in.b.negate = true;
  group.expect_sums(1, 1);
  group.in.source_predicate0.negate = true;
  group.expect_sums(1, 0);
  group.in.c = rz();
  group.expect_sums(1, 0);
}

TEST(WarpgroupMma, FaultsNameTheOperand) {
  Warpgroup group(0);
  group.a_in_registers();
  group.describe(1, described(0x7f00, 128, 0x4000, 0));
  const std::string fault = fault_of(group, group.in);
  EXPECT_THAT(
      fault,
      HasSubstr("the descriptor of B (start 0x7f00, leading offset 0x80, stride offset 0x4000, base offset 0, swizzle "
                "none) leads to shared address 0xbf00, beyond the 32768 bytes that the CTA has"));
  for (const char* place : {"kernel '", "instruction HGMMA", "CTA (3, 2, 1)", "warp 4"})
    EXPECT_THAT(fault, HasSubstr(place));
  group.describe(1, std::uint64_t{1} << 60);
  const auto unknown = HasSubstr(
      "warp 4: the descriptor of B, 0x1000000000000000, has bits 0x1000000000000000 set, which are none of its fields");
  EXPECT_THAT(fault_of(group, group.in), unknown);
  group.context.values = Values::kAddresses;
  EXPECT_THAT(fault_of(group, group.in), unknown);
  group.describe(1, 0);
  EXPECT_EQ(fault_of(group, group.in), "");
  group.describe(0, std::uint64_t{1} << 47);
  EXPECT_EQ(fault_of(group, group.in), "") << "A is in registers";
  group.in.a = uniform(4);
  EXPECT_THAT(fault_of(group, group.in), HasSubstr("warp 4: the descriptor of A, 0x0000800000000000, has bits 0x8"));
}

}  // namespace
}  // namespace stc::isa
