// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_plan.h"

#include <filesystem>
#include <set>

#include "validation/unit/crossover/study_text.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

class StudyTest : public ::testing::Test {
 protected:
  StudyPlan plan(const std::string& from, const std::string& to) {
    const std::string good = small_study(std::filesystem::current_path().string());
    return plan_study(read_study(folder_.write("study.yaml", from.empty() ? good : replaced(good, from, to))));
  }
  static std::set<std::string> kernels(const StudyPlan& plan) {
    std::set<std::string> names;
    for (const StudyPoint& point : plan.points) names.insert(point.kernel());
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(StudyTest, DenseAnd24RunOnceTheOthersAtEveryDensity) {
  const StudyPlan small = plan("", "");
  EXPECT_EQ(small.cases.size(), 3 + 8 * 2U);
  EXPECT_EQ(small.study.densities, (std::vector<double>{0.5, 0.1}));
}

TEST_F(StudyTest, TheWidestKernelThatFitsIsTaken) {
  EXPECT_EQ(kernels(plan("", "")).count("spmm_csr_f32_64"), 1U);
  const StudyPlan narrow = plan(
      "n: 128, k: 128}\ndensity: [0.5, 0.1]\nkernels: [dense_f32, csr_f32, ell_f32, coo_f32, "
      "csc_f32, csr_csr_f32, dense_f16, sp24_f16, csr_f16, ell_f16, bitmap_f16]",
      "n: 24, k: 128}\ndensity: [0.5]\nkernels: [csr_f16]");
  EXPECT_EQ(kernels(narrow), std::set<std::string>{"spmm_csr_f16_16"});
}

TEST_F(StudyTest, PaddingIsForDenseAnd24Only) {
  const std::string good = small_study(std::filesystem::current_path().string());
  const std::string odd = replaced(good, "n: 128, k: 128}", "n: 136, k: 120}");
  EXPECT_THAT(user_error([&] { plan_study(read_study(folder_.write("odd.yaml", odd))); }),
              ::testing::HasSubstr("fits no kernel of dense_f32"));
  const StudyPlan padded =
      plan_study(read_study(folder_.write("padded.yaml", replaced(odd, "options: {", "options: {pad: true, "))));
  for (const StudyPoint& point : padded.points) {
    const bool unpadded = !point.gemm && point.spmm.format != SpmmFormat::kSgemm;
    EXPECT_EQ(point.n, unpadded ? 136 : point.gemm || point.spmm.tile_n == 64 ? 192 : 256) << point.name;
  }
}

TEST_F(StudyTest, EveryPointHasAKeyOfItsOwn) {
  const StudyPlan small = plan("", "");
  std::set<std::string> keys;
  for (const StudyPoint& point : small.points) keys.insert(point.key);
  EXPECT_EQ(keys.size(), small.points.size());
  EXPECT_NE(plan("l2: cold", "l2: warm").points[0].key, small.points[0].key);
}

}  // namespace
}  // namespace stc::sim
