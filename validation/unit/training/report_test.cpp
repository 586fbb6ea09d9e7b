// SPDX-License-Identifier: Apache-2.0
// What the report derives from the steps' costs: speedups and the number of tokens from which 2:4 pays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/training/training_report.h"

namespace stc::sim {
namespace {

using Where = LayerReport::BreakEven::Where;
using Part = StepLaunch::Part;

StepCost cost_of(double gemms, double prune) {
  StepCost cost;
  for (const auto& [part, us] : {std::pair{Part::kPrune, prune}, {Part::kForward, gemms}}) {
    LaunchCost launch;
    launch.title = name_of(part);
    launch.part = part;
    launch.time_us = us;
    launch.sustained_us = 2 * us;
    cost.launches.push_back(launch);
  }
  return cost;
}

/// Dense GEMMs take a microsecond per ten tokens, sparse ones 0.6 of that, pruning 20 us.
LayerReport layer_of(const std::vector<int>& tokens) {
  LayerReport layer;
  layer.layer = {1024, 0, 4096};
  for (const int count : tokens) layer.points.push_back({count, cost_of(count / 10.0, 0), cost_of(count * 0.06, 20)});
  return layer;
}

TEST(TrainingReport, BreakEvenLiesBetweenThePointsThatLoseAndWin) {
  // 0.1 t = 0.06 t + 20 at t = 500; straight lines stay straight.
  const auto within = layer_of({100, 300, 1000}).break_even();
  EXPECT_EQ(within.where, Where::kWithin);
  EXPECT_NEAR(within.tokens, 500, 1e-6);
  EXPECT_EQ(within.text(), "500");
  EXPECT_EQ(layer_of({600, 1000}).break_even().text(), "fewer than 600");
  EXPECT_EQ(layer_of({100, 400}).break_even().text(), "more than 400");
}

TEST(TrainingReport, SpeedupCountsPruningAndWithoutItDoesNot) {
  const TrainingPoint point = layer_of({1000}).points.front();
  EXPECT_DOUBLE_EQ(point.speedup(), 100.0 / 80.0);
  EXPECT_DOUBLE_EQ(point.speedup_without_pruning(), 100.0 / 60.0);
}

TEST(TrainingReport, CostsSurviveTheWayBetweenProcesses) {
  StepCost cost = cost_of(12.5, 3.25);
  cost.launches[1].check.failure = "error 1";
  cost.launches[1].dram_bytes = 77;
  const StepCost same = StepCost::from_text(cost.text());
  EXPECT_EQ(same.text(), cost.text());
  EXPECT_EQ(same.failure(), "forward: error 1");
  EXPECT_EQ(same.launches[1].dram_bytes, 77U);
}

TEST(TrainingReport, TimesUnderThePowerLimitAreKnownOrLeftOut) {
  TrainingReport report;
  report.plan.layers = {{1024, 0, 4096}};
  report.layers = {layer_of({1000})};
  report.layers[0].points[0].dense.launches[1].sustained_us = 300;  // of 100; the sparse step's are twice as long
  EXPECT_THAT(training_text(report), ::testing::HasSubstr("1,000 tokens: 300.0 us dense, 160.0 us 2:4, 1.875"));
  EXPECT_EQ(training_json(report).at("layers").at(0).at("points").at(0).at("sparse").at("sustained_us"), 160.0);

  StepCost& dense = report.layers[0].points[0].dense;
  dense.launches[1].sustained_us = std::nan("");
  EXPECT_THAT(training_text(report), ::testing::Not(::testing::HasSubstr("power limit")));
  EXPECT_TRUE(std::isnan(StepCost::from_text(dense.text()).sustained_us()));
}

TEST(TrainingReport, TableHasEightyColumnsAndAgreesWithJson) {
  TrainingReport report;
  report.gpu_name = "some GPU";
  report.plan.layers = {{1024, 0, 4096}};
  report.layers = {layer_of({300, 13008})};
  report.layers[0].pruning = {{"exact", 20, 1 << 20, 1 << 21}};
  report.quality = {{"exact", 0.7}, {"greedy", 0.69}};
  const std::string text = training_text(report);
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; start = end + 1, end = text.find('\n', start)) {
    EXPECT_LE(end - start, 80U) << text.substr(start, end - start);
  }
  EXPECT_THAT(text, ::testing::HasSubstr("2:4 pays from 500 tokens on"));
  const nlohmann::json json = training_json(report);
  EXPECT_EQ(json.at("layers").at(0).at("break_even").at("where"), "at");
  EXPECT_EQ(json.at("layers").at(0).at("points").at(1).at("speedup"), report.layers[0].points[1].speedup());
  const std::string html = training_html(report);
  EXPECT_THAT(html, ::testing::HasSubstr("1024 -&gt; 4096"));
}

}  // namespace
}  // namespace stc::sim
