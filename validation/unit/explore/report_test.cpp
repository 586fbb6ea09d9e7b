// SPDX-License-Identifier: Apache-2.0
// Speedups, limits and the Pareto front, from results set by hand.
#include "sim/explore/explore_report.h"

#include <nlohmann/json.hpp>

#include <sstream>

#include "validation/unit/explore/sweep_text.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

PointResult took(std::uint64_t cycles, const std::string& bound = "latency") {
  PointResult result;
  result.cycles = cycles;
  result.cycles_elapsed = cycles + 1000;
  result.time_us = static_cast<double>(cycles + 1000) / 1410.0;
  result.bound = bound;
  result.tensor_busy = 0.9;
  return result;
}

/// Cases 2:4, 2:8, 2:6, dense; two points each.
class ExploreReportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_ = plan_sweep(read_sweep(folder_.write("s.yaml", small_sweep(std::filesystem::current_path().string()))));
    quality_ = pattern_quality(plan_.sweep, weights_);
    results_.points = {took(600), took(500), took(400, "tensor"), took(450),
                       took(480), took(470), took(1000),          took(900)};
  }
  ExploreReport report() const { return make_explore_report(plan_, results_, quality_, weights_); }
  TemporaryFolder folder_;
  SweepPlan plan_;
  SweepResults results_;
  QualityTable quality_;
  std::string weights_;
};

TEST_F(ExploreReportTest, BestTileAgainstBestDenseTile) {
  const ExploreReport r = report();
  ASSERT_EQ(r.cases.size(), 4U);
  EXPECT_EQ(r.cases[0].best, 1U);
  EXPECT_DOUBLE_EQ(r.cases[0].speedup, 900.0 / 500.0);
  EXPECT_EQ(r.cases[1].best, 2U);
  EXPECT_DOUBLE_EQ(r.cases[1].speedup, 900.0 / 400.0);
  EXPECT_DOUBLE_EQ(r.cases[1].ideal, 4.0);
  EXPECT_DOUBLE_EQ(r.cases[3].speedup, 1.0);
  EXPECT_DOUBLE_EQ(r.cases[0].time_us, 1500.0 / 1410.0);
}

// 256 columns: 128 cycles of products; 128 bytes a cycle bring A in 16 and each 16 of k of B in 64.
TEST(WarpgroupSweep, CeilingsAreThoseOfTheUnit) {
  const SweepPlan plan = plan_sweep(read_sweep("configs/sweeps/warpgroup.yaml"));
  SweepResults results;
  for (const SweepPoint& point : plan.points) {
    const LibraryKernel& kernel = point.problem.kernel;
    EXPECT_GT(kernel.cluster, 0) << kernel.name;
    EXPECT_EQ(kernel.what_if, kernel.pattern_name() != "dense" && kernel.pattern_name() != "2:4") << kernel.name;
    results.points.push_back(took(kernel.tile_n == 256 ? 100 : 200));
  }
  std::string weights;
  const QualityTable quality = pattern_quality(plan.sweep, weights);
  const ExploreReport report = make_explore_report(plan, results, quality, weights);
  const auto ceiling = [&](std::size_t gpu, const std::string& pattern) {
    for (const CaseReport& one : report.cases) {
      const SweepCase& question = report.question(one);
      if (question.gpu == gpu && question.pattern.name() == pattern) return one.tensor_ceiling;
    }
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(ceiling(0, "2:4"), 128.0 / 16 / ((16 + 128.0) / 32));
  EXPECT_DOUBLE_EQ(ceiling(0, "4:8"), ceiling(0, "2:4"));
  EXPECT_DOUBLE_EQ(ceiling(0, "2:8"), 128.0 / 16 / ((16 + 256.0) / 64));
  EXPECT_DOUBLE_EQ(ceiling(1, "2:4"), 2.0);
  EXPECT_DOUBLE_EQ(ceiling(1, "1:4"), 128.0 / 16 / ((8 + 128.0) / 64));
}

// On the A100's feed 2:8 needs 10 registers collected, B twice as wide as that of 2:4, and the array needs 8 cycles.
TEST_F(ExploreReportTest, FeedIsNamedWhenItSetsTheInterval) {
  const ExploreReport r = report();
  ASSERT_TRUE(r.cases[1].timing.feed_bound);
  EXPECT_EQ(r.cases[1].limit.by, "operand feed");
  EXPECT_THAT(r.cases[1].limit.reason, HasSubstr("operand collection for"));
  EXPECT_LT(r.cases[1].tensor_ceiling, 4.0);
  EXPECT_DOUBLE_EQ(r.cases[0].tensor_ceiling, 2.0);
  EXPECT_EQ(r.cases[0].limit.by, "latency");
}

TEST_F(ExploreReportTest, FrontHoldsWhatNothingBeats) {
  results_.points[4] = results_.points[5] = took(700);  // 2:6: slower than 2:4, and keeps less
  const ExploreReport r = report();
  EXPECT_TRUE(r.cases[0].pareto);
  EXPECT_TRUE(r.cases[1].pareto);
  EXPECT_FALSE(r.cases[2].pareto);
  EXPECT_TRUE(r.cases[3].pareto);
}

TEST_F(ExploreReportTest, FailedPointIsReportedAndNotBest) {
  results_.points[1] = {};
  results_.points[1].failure = "a deadlock";
  EXPECT_EQ(report().cases[0].best, 0U);
  EXPECT_EQ(report().failures(), 1U);
  results_.points[0].failure = "a fault";
  EXPECT_FALSE(report().cases[0].ok);
  EXPECT_EQ(report().cases[0].speedup, 0.0);
  EXPECT_THAT(explore_table(report()), HasSubstr("a fault"));
  EXPECT_THAT(points_csv(report()), HasSubstr("a deadlock"));
}

TEST_F(ExploreReportTest, TimesOfTheSimulatorAreInTheirOwnFileOnly) {
  const ExploreReport before = report();
  const std::string csv = cases_csv(before), points = points_csv(before), json = explore_json(before).dump(),
                    html = explore_html(before), times = times_csv(before);
  for (PointResult& point : results_.points) point.wall_s = 123.456;
  const ExploreReport after = report();
  EXPECT_EQ(cases_csv(after), csv);
  EXPECT_EQ(points_csv(after), points);
  EXPECT_EQ(explore_json(after).dump(), json);
  EXPECT_EQ(explore_html(after), html);
  EXPECT_NE(times_csv(after), times);
}

TEST_F(ExploreReportTest, CsvHasOneFieldForEachColumn) {
  std::stringstream stream(cases_csv(report()));
  std::size_t columns = 0;
  for (std::string line; std::getline(stream, line);) {
    bool quoted = false;
    std::size_t commas = 0;
    for (const char c : line) {
      quoted = quoted != (c == '"');
      commas += c == ',' && !quoted ? 1U : 0U;
    }
    if (columns == 0) columns = commas;
    EXPECT_EQ(commas, columns) << line;
  }
  EXPECT_GT(columns, 40U);
}

TEST_F(ExploreReportTest, PageIsSelfContained) {
  const std::string html = explore_html(report());
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);
  for (const char* section : {"speedup", "heat", "bytes", "metadata", "pareto", "cases"}) {
    EXPECT_THAT(html, HasSubstr(std::string("id=\"") + section + "\""));
  }
}

}  // namespace
}  // namespace stc::sim
