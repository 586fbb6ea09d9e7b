// SPDX-License-Identifier: Apache-2.0
// Built against compiled kernels of the same tile, dense and sparse: the same matrix instructions, the same bytes of
// every role at every level, and cycles within kTolerance; the cases beyond it state their own (DEVIATIONS, T13).
#include <gtest/gtest.h>

#include <cmath>

#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

constexpr double kTolerance = 0.03;

struct Case {
  const char* gpu;
  const char* kernel;
  double tolerance = kTolerance;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel << " on " << c.gpu; }

/// Without what others left in L2: how much of that is written depends on the order of requests.
LevelBytes own(LevelBytes bytes) {
  bytes.write[static_cast<std::size_t>(DataRole::kOther)] = 0;
  return bytes;
}

void expect_same(const LevelBytes& built, const LevelBytes& compiled, const char* level) {
  EXPECT_EQ(built.read, compiled.read) << level;
  EXPECT_EQ(built.write, compiled.write) << level;
}

class Agreement : public testing::TestWithParam<Case> {};

TEST_P(Agreement, WithTheCompiledKernel) {
  const Case& c = GetParam();
  GemmRun compiled;
  compiled.gpu = c.gpu;
  compiled.plan.kernel = c.kernel;
  compiled.plan.m = compiled.plan.n = 512;
  compiled.plan.k = 4096;  // deep enough that the order in which CTAs reach HBM first does not count
  GemmRun built = compiled;
  built.plan.kernel.clear();
  built.plan.built = spec_of_compiled(c.kernel);
  gpu::Machine machine("gpu", gpu_of(compiled).params);
  const gpu::RunStatistics want = run_gemm(compiled, machine).run, got = run_gemm(built, machine).run;
  EXPECT_GT(want.total.tensor_instructions, 0u);
  EXPECT_EQ(got.total.tensor_instructions, want.total.tensor_instructions);
  EXPECT_EQ(got.total.sparse_tensor_instructions, want.total.sparse_tensor_instructions);
  expect_same(got.total.shared, want.total.shared, "shared memory");
  expect_same(got.total.l2, want.total.l2, "L2");
  EXPECT_EQ(want.total.l2.write[static_cast<std::size_t>(DataRole::kOther)], 0u) << "which own() leaves out";
  expect_same(own(got.memory.dram), own(want.memory.dram), "DRAM");
  expect_same(got.total.register_file, want.total.register_file, "register file");
  const double difference = static_cast<double>(got.cycles) / static_cast<double>(want.cycles) - 1;
  RecordProperty("cycles", std::to_string(got.cycles) + " against " + std::to_string(want.cycles));
  EXPECT_LE(std::abs(difference), c.tolerance) << got.cycles << " cycles, compiled " << want.cycles;
}

INSTANTIATE_TEST_SUITE_P(
    Gemm, Agreement,
    testing::Values(
        Case{"a100", "f16_dense_128x128x128_w64x64_s2"}, Case{"a100", "f16_dense_128x128x64_w64x32_s3"},
        Case{"a100", "f16_dense_128x128x64_w64x32_s4"}, Case{"a100", "f16_dense_128x128x64_w64x64_s2"},
        Case{"a100", "f16_dense_128x128x64_w64x64_s3"}, Case{"a100", "f16_dense_128x256x64_w64x64_s2", 0.06},
        Case{"a100", "f16_dense_128x256x64_w64x64_s3"}, Case{"a100", "f16_dense_128x64x64_w64x32_s3"},
        Case{"a100", "f16_dense_256x128x64_w64x64_s3"}, Case{"a100", "f16_dense_64x64x64_w32x32_s4"},
        Case{"a100", "f16_sp24_128x128x128_w64x64_s2"}, Case{"a100", "f16_sp24_128x128x64_w64x32_s3", 0.035},
        Case{"a100", "f16_sp24_128x128x64_w64x32_s4", 0.085}, Case{"a100", "f16_sp24_128x128x64_w64x64_s2", 0.032},
        Case{"a100", "f16_sp24_128x128x64_w64x64_s3"}, Case{"a100", "f16_sp24_128x256x64_w64x64_s2"},
        Case{"a100", "f16_sp24_128x256x64_w64x64_s3"}, Case{"a100", "f16_sp24_128x64x64_w64x32_s3"},
        Case{"a100", "f16_sp24_256x128x64_w64x64_s3"}, Case{"a100", "f16_sp24_64x64x64_w32x32_s4"},
        Case{"a100", "s8_dense_128x128x128_w64x64_s3"}, Case{"a100", "s8_sp24_128x128x128_w64x64_s3", 0.05},
        Case{"a100", "tf32_dense_128x128x32_w64x64_s3"}, Case{"a100", "tf32_sp12_128x128x32_w64x64_s3"},
        Case{"h200", "f16_dense_128x128x128_w64x64_s2"}, Case{"h200", "f16_dense_128x128x64_w64x32_s3"},
        Case{"h200", "f16_dense_128x128x64_w64x32_s4"}, Case{"h200", "f16_dense_128x128x64_w64x64_s2"},
        Case{"h200", "f16_dense_128x128x64_w64x64_s3"}, Case{"h200", "f16_dense_128x256x64_w64x64_s2"},
        Case{"h200", "f16_dense_128x256x64_w64x64_s3"}, Case{"h200", "f16_dense_128x64x64_w64x32_s3", 0.035},
        Case{"h200", "f16_dense_256x128x64_w64x64_s3"}, Case{"h200", "f16_dense_64x64x64_w32x32_s4"},
        Case{"h200", "f16_sp24_128x128x128_w64x64_s2"}, Case{"h200", "f16_sp24_128x128x64_w64x32_s3"},
        Case{"h200", "f16_sp24_128x128x64_w64x32_s4", 0.035}, Case{"h200", "f16_sp24_128x128x64_w64x64_s2"},
        Case{"h200", "f16_sp24_128x128x64_w64x64_s3"}, Case{"h200", "f16_sp24_128x256x64_w64x64_s2"},
        Case{"h200", "f16_sp24_128x256x64_w64x64_s3"}, Case{"h200", "f16_sp24_128x64x64_w64x32_s3"},
        Case{"h200", "f16_sp24_256x128x64_w64x64_s3"}, Case{"h200", "f16_sp24_64x64x64_w32x32_s4"},
        Case{"h200", "s8_dense_128x128x128_w64x64_s3"}, Case{"h200", "s8_sp24_128x128x128_w64x64_s3"},
        Case{"h200", "tf32_dense_128x128x32_w64x64_s3"}, Case{"h200", "tf32_sp12_128x128x32_w64x64_s3", 0.035}));

}  // namespace
}  // namespace stc::timing
