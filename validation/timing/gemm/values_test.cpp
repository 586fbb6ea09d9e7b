// SPDX-License-Identifier: Apache-2.0
// D of built kernels equals the product of the decompressed matrix, exactly, for patterns that no GPU has and for
// tiles with odd numbers of steps, padded rows, partial copies and single work items.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

using isa::NumberFormat;

struct ValuesCase {
  const char* pattern;
  NumberFormat type;
  int tile_m, tile_n, tile_k, warp_m, warp_n, stages, tiles_k;
};
void PrintTo(const ValuesCase& c, std::ostream* out) {
  *out << isa::name_of(c.type) << " " << c.pattern << " " << c.tile_m << "x" << c.tile_n << "x" << c.tile_k << " w"
       << c.warp_m << "x" << c.warp_n << " s" << c.stages;
}

class Values : public testing::TestWithParam<std::tuple<std::string, ValuesCase>> {};

TEST_P(Values, AreExact) {
  const auto& [gpu, c] = GetParam();
  gemm::GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(c.pattern);
  spec.type = c.type;
  spec.tile_m = c.tile_m;
  spec.tile_n = c.tile_n;
  spec.tile_k = c.tile_k;
  spec.warp_m = c.warp_m;
  spec.warp_n = c.warp_n;
  spec.stages = c.stages;
  GemmRun request;
  request.gpu = gpu;
  request.sms = 2;
  request.values = true;
  request.plan.built = spec;
  request.plan.m = c.tile_m;
  request.plan.n = 2 * c.tile_n;
  request.plan.k = c.tiles_k * c.tile_k;
  const GemmOutcome outcome = run_gemm(request);
  EXPECT_TRUE(outcome.check.exact);
  EXPECT_TRUE(outcome.check.passed) << outcome.check.first_mismatch;
  EXPECT_EQ(outcome.check.rows, outcome.check.rows_in_all);
}

constexpr NumberFormat kF16 = NumberFormat::f16, kTf32 = NumberFormat::tf32, kS8 = NumberFormat::s8;

INSTANTIATE_TEST_SUITE_P(
    All, Values,
    testing::Combine(
        testing::Values(std::string("a100"), std::string("h200")),
        testing::Values(
            ValuesCase{"dense", kF16, 64, 64, 64, 32, 32, 3, 5},
            ValuesCase{"dense", NumberFormat::bf16, 64, 128, 32, 32, 64, 4, 7},
            ValuesCase{"dense", kF16, 32, 64, 48, 16, 16, 4, 5}, ValuesCase{"dense", kS8, 64, 64, 128, 32, 32, 2, 3},
            ValuesCase{"dense", kF16, 32, 32, 16, 16, 16, 2, 9}, ValuesCase{"dense", kTf32, 64, 64, 32, 32, 32, 3, 1},
            ValuesCase{"2:4", kF16, 128, 128, 64, 64, 64, 3, 4}, ValuesCase{"2:4", kF16, 128, 128, 64, 64, 64, 2, 4},
            // Three blocks of metadata in a k-tile, in one and in two parts; four steps in mixed columns.
            ValuesCase{"2:4", kF16, 64, 128, 192, 32, 64, 2, 3}, ValuesCase{"2:4", kF16, 128, 64, 192, 64, 32, 2, 3},
            ValuesCase{"2:4", kF16, 128, 128, 128, 64, 64, 3, 3}, ValuesCase{"2:8", kF16, 128, 64, 128, 64, 32, 3, 3},
            ValuesCase{"2:4", kF16, 64, 64, 32, 32, 32, 3, 5}, ValuesCase{"2:4", kS8, 64, 64, 128, 32, 32, 3, 2},
            ValuesCase{"2:4", kF16, 32, 32, 32, 16, 16, 2, 3}, ValuesCase{"1:2", kTf32, 64, 64, 32, 32, 32, 3, 3},
            ValuesCase{"1:2", kF16, 64, 64, 128, 32, 32, 2, 3}, ValuesCase{"1:4", kF16, 128, 128, 64, 64, 64, 3, 5},
            ValuesCase{"1:4", kTf32, 64, 64, 64, 32, 32, 3, 3}, ValuesCase{"2:8", kF16, 64, 64, 128, 32, 32, 2, 3},
            ValuesCase{"2:8", kS8, 64, 64, 256, 32, 32, 3, 3}, ValuesCase{"4:8", kF16, 64, 64, 64, 32, 32, 3, 3},
            ValuesCase{"4:8/2", kF16, 64, 64, 64, 32, 32, 3, 3}, ValuesCase{"1:8", kF16, 64, 64, 128, 32, 32, 3, 3},
            ValuesCase{"1:8", kS8, 64, 64, 256, 32, 32, 2, 3}, ValuesCase{"2:16", kF16, 64, 64, 256, 32, 32, 2, 2},
            ValuesCase{"8:16", kF16, 64, 64, 64, 32, 32, 3, 3}, ValuesCase{"3:8", kF16, 64, 64, 64, 32, 32, 3, 5},
            ValuesCase{"3:8", kTf32, 64, 64, 32, 32, 32, 3, 3}, ValuesCase{"6:8", kF16, 64, 64, 64, 32, 32, 4, 3},
            ValuesCase{"2:6", kF16, 128, 128, 96, 64, 64, 3, 4}, ValuesCase{"2:6", kF16, 64, 64, 48, 32, 32, 3, 5},
            ValuesCase{"3:5", kF16, 64, 64, 40, 32, 32, 3, 3}, ValuesCase{"5:8", kF16, 64, 64, 64, 32, 32, 2, 3},
            ValuesCase{"7:8", NumberFormat::bf16, 64, 64, 64, 32, 32, 3, 2},
            ValuesCase{"16:32", kF16, 64, 64, 64, 32, 32, 3, 3}, ValuesCase{"1:32", kF16, 64, 64, 256, 32, 32, 2, 2})));

}  // namespace
}  // namespace stc::timing
