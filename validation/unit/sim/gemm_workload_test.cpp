// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/gemm_workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "models/isa/state/tensor_map.h"
#include "sim/launch/gemm_check.h"
#include "validation/gpus.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

GemmProblem problem_of(const std::string& kernel, int m, int n, int k, GemmPlan::Input input) {
  GemmPlan plan;
  plan.kernel = kernel;
  plan.m = m;
  plan.n = n;
  plan.k = k;
  plan.input = input;
  return resolve_gemm(plan, Manifest::load(default_kernels_folder()));
}

std::uint16_t half_at(const isa::BufferBytes& bytes, std::size_t index) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, &bytes[2 * index], 2);
  return bits;
}

/// D as a perfect kernel would leave it.
std::vector<std::uint8_t> exact_d(const GemmProblem& problem, const GemmMatrices& matrices) {
  std::vector<std::uint8_t> d(static_cast<std::size_t>(problem.m) * static_cast<std::size_t>(problem.n) * 4);
  const auto k = static_cast<std::size_t>(problem.k);
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.m); ++i) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(problem.n); ++j) {
      double sum = 0;
      for (std::size_t x = 0; x < k; ++x) {
        sum += static_cast<double>(matrices.a[i * k + x]) * static_cast<double>(matrices.b[j * k + x]);
      }
      const auto bits = encode(problem.kernel.accumulator, sum);
      std::memcpy(&d[4 * (i * static_cast<std::size_t>(problem.n) + j)], &bits, 4);
    }
  }
  return d;
}

TEST(HostBytes, AreThoseOfTheBuffersAndOfTheOperandsAsNumbers) {
  const GemmProblem sparse = problem_of("f16_sp24_64x64x64", 128, 64, 192, GemmPlan::Input::kRandom);
  const GemmProblem dense = with_kernel(sparse, *Manifest::load(default_kernels_folder()).find("f16_dense_64x64x64"));
  for (const GemmProblem& problem : {sparse, dense}) {
    double buffers = 0;
    for (const PreparedBuffer& buffer : prepare_gemm(problem, 80, nullptr).buffers) {
      buffers += static_cast<double>(buffer.data.size());
    }
    EXPECT_EQ(host_bytes(problem, false), buffers);
    EXPECT_GE(host_bytes(problem, true), buffers + 4 * (128 * 192 + 64 * 192));
  }
  EXPECT_EQ(host_bytes(sparse, true) - host_bytes(sparse, false), 4 * (2 * 128 + 64) * 192 + 5 * 128 * 96);
}

TEST(MakeMatrices, PrunesAToTwoOfFourAndKeepsTheLargest) {
  GemmProblem sparse = problem_of("f16_sp24_64x64x64", 64, 64, 64, GemmPlan::Input::kRandom);
  GemmProblem dense = with_kernel(sparse, *Manifest::load(default_kernels_folder()).find("f16_dense_64x64x64"));
  const std::vector<float> pruned = make_matrices(sparse).a;
  const std::vector<float> full = make_matrices(dense).a;
  for (std::size_t group = 0; group < full.size(); group += 4) {
    int kept = 0;
    float least_kept = 2;
    float largest_dropped = 0;
    for (std::size_t i = group; i < group + 4; ++i) {
      if (pruned[i] != 0) {
        EXPECT_EQ(pruned[i], full[i]);
        least_kept = std::fmin(least_kept, std::fabs(full[i]));
        ++kept;
      } else {
        largest_dropped = std::fmax(largest_dropped, std::fabs(full[i]));
      }
    }
    EXPECT_EQ(kept, 2) << group;
    EXPECT_GE(least_kept, largest_dropped);
  }
}

// The layout of the kernel library, written out by hand: metadata word [k/64][m/16][lane]; lanes t = lane % 4 of 0, 1
// serve the first 32 of k, 2, 3 the second; even t the lower 16 of those; row g in the low half, row g + 8 in the high.
TEST(PrepareGemm, MetadataAndValuesStandWhereTheKernelReadsThem) {
  const GemmProblem problem = problem_of("f16_sp24_64x64x64", 128, 64, 192, GemmPlan::Input::kRandom);
  const GemmMatrices matrices = make_matrices(problem);
  const PreparedLaunch launch = prepare_gemm(problem, 80, &matrices);
  ASSERT_EQ(launch.buffers[0].name, "A");
  ASSERT_EQ(launch.buffers[1].name, "E");
  const isa::BufferBytes& values = launch.buffers[0].data;
  std::vector<float> rebuilt(matrices.a.size(), 0.0F);
  for (std::size_t row = 0; row < 128; ++row) {
    for (std::size_t group = 0; group < 192 / 4; ++group) {
      const std::size_t k = group * 4;
      const std::size_t lane = row % 8 * 4 + k % 64 / 16;
      const std::size_t word = (k / 64 * 8 + row / 16) * 32 + lane;
      std::uint32_t bits = 0;
      std::memcpy(&bits, &launch.buffers[1].data[4 * word], 4);
      const std::uint32_t nibble = bits >> (row % 16 / 8 * 16 + k % 16) & 15U;
      for (std::size_t place = 0; place < 2; ++place) {
        const std::size_t index = nibble >> (2 * place) & 3U;
        rebuilt[row * 192 + k + index] =
            static_cast<float>(decode(ElementType::f16, half_at(values, row * 96 + group * 2 + place)));
      }
    }
  }
  EXPECT_EQ(rebuilt, matrices.a);
}

TEST(PrepareGemm, SizesGridAndArguments) {
  const GemmProblem problem = problem_of("f16_sp24_128x128x64", 256, 384, 128, GemmPlan::Input::kRandom);
  const PreparedLaunch launch = prepare_gemm(problem, 90, nullptr);
  EXPECT_EQ(launch.grid.x, 2u * 3u);
  EXPECT_EQ(launch.buffers[0].data.size(), 256u * 64u * 2u);
  EXPECT_EQ(launch.buffers[1].data.size(), 256u * 64u * 2u / 8u);  // 12.5 % of the stored values
  EXPECT_EQ(launch.buffers[3].data.size(), 256u * 384u * 4u);
  EXPECT_EQ(launch.arguments.size(), 7u);
  EXPECT_EQ(launch.arguments[1].buffer, "E");
  EXPECT_EQ(launch.arguments[5].spelling, "i32: 384");
  EXPECT_THAT(launch.module, HasSubstr("sm_90/"));
  EXPECT_THAT(user_error([&] { prepare_gemm(problem, 70, nullptr); }), HasSubstr("no cubin for sm_70"));
}

// Boxes of 64 bytes of A's stored half and of 128 bytes of B, whose rows the two CTAs of a cluster share.
TEST(PrepareGemm, WarpgroupKernelsTakeTensorMapsAndAtMostACtaPerSm) {
  const GemmProblem problem =
      problem_of("f16_sp24_128x256x64_wg64x256_s4_c2x1", 384, 512, 192, GemmPlan::Input::kRandom);
  const PreparedLaunch launch = prepare_gemm(problem, 90, nullptr);
  EXPECT_EQ(launch.grid.x, 4u * 2u);  // three rows of tiles, and one that fills the last cluster
  EXPECT_EQ(grid_on(launch, 132).x, 8u);
  EXPECT_EQ(grid_on(launch, 7).x, 6u);
  ASSERT_EQ(launch.arguments.size(), 7u);
  const auto map_in = [&](std::size_t argument) {
    isa::TensorMapBytes bytes{};
    EXPECT_EQ(launch.arguments[argument].bytes.size(), bytes.size());
    std::copy_n(launch.arguments[argument].bytes.begin(), bytes.size(), bytes.begin());
    std::string wrong;
    const isa::TensorMap map = isa::decode_tensor_map(bytes, wrong);
    EXPECT_EQ(wrong, "");
    EXPECT_EQ(map.type, isa::TensorType::kF16);
    return map;
  };
  const isa::TensorMap a = map_in(0), b = map_in(2);
  EXPECT_EQ(launch.arguments[0].pointers.at(0).buffer, "A");
  EXPECT_EQ(launch.arguments[2].pointers.at(0).buffer, "B");
  EXPECT_EQ(a.size[0], 96u);
  EXPECT_EQ(a.size[1], 384u);
  EXPECT_EQ(a.stride[1], 192u);
  EXPECT_EQ(a.box[0], 32u);
  EXPECT_EQ(a.box[1], 128u);
  EXPECT_EQ(a.swizzle, 2);
  EXPECT_EQ(b.size[0], 192u);
  EXPECT_EQ(b.size[1], 512u);
  EXPECT_EQ(b.box[0], 64u);
  EXPECT_EQ(b.box[1], 128u);
  EXPECT_EQ(b.swizzle, 3);
  EXPECT_THAT(user_error([&] { prepare_gemm(problem, 80, nullptr); }), HasSubstr("no cubin for sm_80, only for sm_90"));
}

TEST(ResolveGemm, SumsOfEightBitFloatsHoldFewerWholeNumbers) {
  const std::string kernel = "e4m3_dense_128x128x128_wg64x128_s6_c1x1";
  EXPECT_NO_THROW(problem_of(kernel, 128, 128, 1024, GemmPlan::Input::kIntegers));
  EXPECT_THAT(user_error([&] { problem_of(kernel, 128, 128, 1152, GemmPlan::Input::kIntegers); }),
              HasSubstr("with k = 1152 a sum may exceed 2^14, beyond which a sum of 8-bit floats no longer holds"));
}

TEST(CheckGemm, ExactFindsASingleWrongUnit) {
  const GemmProblem problem = problem_of("f16_sp24_64x64x64", 64, 64, 128, GemmPlan::Input::kIntegers);
  const GemmMatrices matrices = make_matrices(problem);
  std::vector<std::uint8_t> d = exact_d(problem, matrices);
  EXPECT_TRUE(check_gemm(problem, validation::a100().numerics, matrices, d).passed);
  const std::size_t index = 5 * 64 + 7;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &d[4 * index], 4);
  bits = static_cast<std::uint32_t>(encode(ElementType::f32, decode(ElementType::f32, bits) + 1));
  std::memcpy(&d[4 * index], &bits, 4);
  const GemmCheck check = check_gemm(problem, validation::a100().numerics, matrices, d);
  EXPECT_FALSE(check.passed);
  EXPECT_THAT(check.first_mismatch, HasSubstr("D[5,7] is "));
}

TEST(CheckGemm, NormFindsOneWrongElementAndToleratesRounding) {
  const GemmProblem problem = problem_of("f16_sp24_64x64x64", 64, 64, 128, GemmPlan::Input::kRandom);
  const GemmMatrices matrices = make_matrices(problem);
  std::vector<std::uint8_t> d = exact_d(problem, matrices);
  const GemmCheck good = check_gemm(problem, validation::a100().numerics, matrices, d);
  EXPECT_TRUE(good.passed);
  EXPECT_GT(good.error, 0.0);
  EXPECT_EQ(good.limit, 1e-6);
  const float wrong = 0.001F;
  std::memcpy(&d[4 * 100], &wrong, 4);
  EXPECT_FALSE(check_gemm(problem, validation::a100().numerics, matrices, d).passed);
}

TEST(CheckGemm, AnEmptyResultFails) {
  GemmProblem problem = problem_of("f16_sp24_64x64x64", 64, 64, 64, GemmPlan::Input::kRandom);
  const GemmMatrices matrices = make_matrices(problem);
  EXPECT_FALSE(
      check_gemm(problem, validation::a100().numerics, matrices, std::vector<std::uint8_t>(64 * 64 * 4)).passed);
  const GemmMatrices zeros{std::vector<float>(64 * 64), std::vector<float>(64 * 64), {}};
  EXPECT_FALSE(check_gemm(problem, validation::a100().numerics, zeros, std::vector<std::uint8_t>(64 * 64 * 4)).passed);
}

TEST(CheckGemm, LargeProductsAreCheckedOnSpreadRows) {
  const GemmProblem problem = problem_of("f16_sp24_64x64x64", 128, 64, 64, GemmPlan::Input::kIntegers);
  const GemmMatrices matrices = make_matrices(problem);
  const GemmCheck check =
      check_gemm(problem, validation::a100().numerics, matrices, exact_d(problem, matrices), 64 * 64 * 10);
  EXPECT_TRUE(check.passed);
  EXPECT_EQ(check.rows, 10);
  EXPECT_EQ(check.rows_in_all, 128);
}

}  // namespace
}  // namespace stc::sim
