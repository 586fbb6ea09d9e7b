// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep.h"

#include <set>

#include "sim/explore/sweep_plan.h"
#include "validation/unit/explore/sweep_text.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SweepFile : public ::testing::Test {
 protected:
  Sweep read(const std::string& from = "", const std::string& to = "") {
    return read_sweep(
        folder_.write("s.yaml", replaced(small_sweep(std::filesystem::current_path().string()), from, to)));
  }
  static std::vector<std::string> questions(const Sweep& sweep) {
    std::vector<std::string> names;
    for (const SweepCase& one : sweep.cases) {
      names.push_back(sweep.gpus[one.gpu].name + " " + sweep.shapes[one.shape].name + " " + one.pattern.name() +
                      (one.reference ? " reference" : ""));
    }
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(SweepFile, GridWithItsReference) {
  EXPECT_THAT(questions(read()),
              ElementsAre("four square 2:4", "four square 2:8", "four square 2:6", "four square dense reference"));
}

TEST_F(SweepFile, RunsAtOnceMustFitIntoTheHostsMemory) {
  SweepPlan plan = plan_sweep(read());
  ASSERT_GE(plan.points.size(), 3u);
  EXPECT_GT(plan.points[0].host_bytes, 128 * 384 * 2 + 128 * 128 * 4);
  plan.points[0].host_bytes = plan.points[2].host_bytes = 0.6 * host_memory();
  require_memory_for(plan, 1);
  EXPECT_THAT(user_error([&] { require_memory_for(plan, 2); }), HasSubstr("2 runs at once, the largest ones together"));
}

TEST_F(SweepFile, DenseThatIsAskedForIsNoReference) {
  EXPECT_THAT(questions(read("[2:4, 2:8, 2:6]", "[dense, 2:4]")), ElementsAre("four square dense", "four square 2:4"));
}

TEST_F(SweepFile, ListOfPointsWithTheirOwnTile) {
  const Sweep sweep = read("grid:\n  pattern: [2:4, 2:8, 2:6]\n",
                           "points:\n"
                           "  - {pattern: 1:4, gpu: four, shape: square, tile: {tile: [128, 128, 64], stages: 3}}\n"
                           "  - {pattern: 2:4, gpu: four, shape: square, type: bf16, tile: best}\n");
  EXPECT_THAT(questions(sweep), ElementsAre("four square 1:4", "four square 2:4", "four square dense reference",
                                            "four square dense reference"));
  EXPECT_THAT(sweep.cases[0].tiles, ElementsAre(2U));
  EXPECT_THAT(sweep.cases[1].tiles, ElementsAre(0U, 1U));
  EXPECT_EQ(sweep.tiles[2].warp_m, 64);
  EXPECT_EQ(sweep.cases[1].type, isa::NumberFormat::bf16);
}

TEST_F(SweepFile, ChangesOfAGpuReachItsParameters) { EXPECT_EQ(read().gpus[0].config.params.sms, 4); }

TEST_F(SweepFile, PlanDeepensTilesToWholeInstructions) {
  const SweepPlan plan = plan_sweep(read());
  ASSERT_EQ(plan.points.size(), 8U);
  EXPECT_EQ(plan.points[0].problem.kernel.tile_k, 64);
  EXPECT_EQ(plan.points[4].problem.kernel.name, "f16_2:6_64x64x96_w32x32_s2");
  EXPECT_EQ(plan.points[4].problem.k, 384);
}

TEST_F(SweepFile, PaddingGrowsSizesToWholeTiles) {
  const SweepPlan plan = plan_sweep(read("k: 384}", "k: 400}\noptions: {pad: true}"));
  EXPECT_EQ(plan.points[0].problem.k, 448);  // 2:4: tiles of 64
  EXPECT_EQ(plan.points[4].problem.k, 480);  // 2:6: tiles of 96
}

TEST_F(SweepFile, KeysDifferWhereResultsMayDiffer) {
  const SweepPlan plan = plan_sweep(read());
  std::set<std::string> keys;
  for (const SweepPoint& point : plan.points) keys.insert(point.key);
  EXPECT_EQ(keys.size(), plan.points.size());
  EXPECT_EQ(plan_sweep(read()).points[0].key, plan.points[0].key);
  EXPECT_EQ(plan_sweep(read("title: small", "title: other")).points[0].key, plan.points[0].key);
  EXPECT_NE(plan_sweep(read("sms: 4", "clock_mhz: 1000")).points[0].key, plan.points[0].key);
  EXPECT_NE(plan_sweep(read("grid:", "options: {l2: warm}\ngrid:")).points[0].key, plan.points[0].key);
}

TEST_F(SweepFile, TileThatDoesNotFitIsLeftOutWhileAnotherDoes) {
  const SweepPlan plan =
      plan_sweep(read("[128, 64, 64], warp: [64, 32], stages: 2", "[128, 128, 128], warp: [64, 64], stages: 8"));
  EXPECT_EQ(plan.points.size(), 4U);
  ASSERT_EQ(plan.unfit.size(), 4U);
  std::size_t questions = 0;
  for (const UnfitReason& why : unfit_reasons(plan)) questions += why.questions;
  EXPECT_EQ(questions, 4U);
  EXPECT_THAT(plan.unfit[0].reason, HasSubstr("shared memory"));
}

TEST_F(SweepFile, CompiledKernelsOfTheLibrary) {
  const SweepPlan plan = plan_sweep(
      read("  - {tile: [64, 64, 64], warp: [32, 32], stages: 2}\n  - {tile: [128, 64, 64], warp: [64, 32], stages: 2}\n"
           "grid:\n  pattern: [2:4, 2:8, 2:6]\n",
           "  - {tile: [128, 128, 64], warp: [64, 32], stages: 3}\noptions: {kernels: compiled}\ngrid:\n  pattern: "
           "[2:4]\n"));
  ASSERT_EQ(plan.points.size(), 2U);
  EXPECT_EQ(plan.points[0].problem.kernel.name, "f16_sp24_128x128x64_w64x32_s3");
  EXPECT_EQ(plan.points[1].problem.kernel.name, "f16_dense_128x128x64_w64x32_s3");
}

}  // namespace
}  // namespace stc::sim
