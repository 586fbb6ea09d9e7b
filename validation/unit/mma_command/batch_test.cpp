// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/batch.h"

#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "sim/mma/mma_case.h"
#include "validation/gpus.h"

namespace stc::sim {
namespace {

/// [registers][32] to lane-major little-endian bytes.
void append(std::vector<std::uint8_t>& bytes, const std::vector<std::uint32_t>& image) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t r = 0; r < image.size() / 32; ++r) {
      for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::uint8_t>(image[r * 32 + lane] >> shift));
      }
    }
  }
}

TEST(Batch, CasesFollowEachOtherLaneByLane) {
  const arith::Numerics numerics = validation::h200().numerics;
  for (const char* name :
       {"mma.m16n8k16.f32.f16.f16.f32", "mma.sp.m16n8k32.f16.f16.f16.f16", "mma.sp.m16n8k64.satfinite.s32.u8.s8.s32"}) {
    const isa::MmaOp op = isa::parse_mma_name(name);
    std::vector<std::uint8_t> input, expected;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      MmaCase mma = random_case(op, 0, seed);
      compute(mma, numerics);
      for (const auto* image : {&mma.a, &mma.b, &mma.c, &mma.e}) append(input, *image);
      append(expected, mma.d);
    }
    EXPECT_EQ(input.size(), 3u * 4 * static_cast<std::size_t>(words_per_case(op)));
    EXPECT_EQ(run_batch(op, numerics, 0, input, "input"), expected) << name;
  }
}

TEST(Batch, RejectsPartialCases) {
  const isa::MmaOp op = isa::parse_mma_name("mma.m16n8k8.f32.tf32.tf32.f32");
  EXPECT_THROW(run_batch(op, validation::a100().numerics, 0, std::vector<std::uint8_t>(1279), "input"), UserError);
  EXPECT_THROW(run_batch(op, validation::a100().numerics, 0, {}, "input"), UserError);
}

}  // namespace
}  // namespace stc::sim
