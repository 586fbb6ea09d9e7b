// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/compare_report.h"
#include <nlohmann/json.hpp>

#include "sim/compare/baseline.h"
#include "sim/compare/html_report.h"
#include "sim/compare/report_json.h"
#include "sim/compare/report_table.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

const char* const kSparse = "f16_sp24_128x128x64_w64x32_s3";
const char* const kDense = "f16_dense_128x128x64_w64x32_s3";

ComparedPoint gemm(const std::string& kernel, double simulated, double measured, std::int64_t size = 256) {
  ComparePoint point;
  SimulationTask task;
  task.kernel = kernel;
  task.m = task.n = task.k = size;
  point.tasks = {task};
  point.id = task.name();
  point.group = "gemm, cold L2";
  point.fields = {{"gflop", std::to_string(2e-9 * static_cast<double>(size * size * size))}};
  point.measured = {{"cycles", measured}, {"cycles_elapsed", 10 * measured}};
  TaskResult result;
  result.metrics = {{"cycles", simulated}, {"cycles_elapsed", 10 * simulated}, {"l2_sectors", 7}};
  result.stalls = {{"issued", 3}, {"tensor_busy", 1}};
  result.bound = "tensor";
  return join_point(point, {&result});
}

CompareReport report_of(std::vector<ComparedPoint> points) {
  CompareReport report;
  report.gpu = "test GPU";
  report.git = "abc";
  report.clock_mhz = 1000;
  report.points = std::move(points);
  summarise(report, Manifest::load("traces/kernels"));
  return report;
}

TEST(CompareReport, OnlyMetricsOfBothSidesCount) {
  const ComparedPoint point = gemm(kDense, 110, 100);
  EXPECT_EQ(point.metrics(), (std::vector<std::string>{"cycles", "cycles_elapsed"}));
  EXPECT_EQ(point.headline(), "cycles_elapsed");
  EXPECT_NEAR(point.error("cycles"), 0.1, 1e-12);
}

TEST(CompareReport, EnergyOfZerosIsThatOfZeros) {
  ComparePoint point;
  point.kind = ComparePoint::Kind::kEnergy;
  SimulationTask task;
  task.kernel = kDense;
  point.tasks = {task};
  point.measured = {{"joules", 2}, {"watts", 100}};
  TaskResult result;
  EXPECT_EQ(join_point(point, {&result}).failure, "the energy of these matrix instructions is not known");
  result.metrics = {{"joules", 4},          {"watts", 500},         {"limited_us", 8},  {"limited_mhz", 900},
                    {"joules_of_zeros", 1}, {"watts_of_zeros", 50}, {"us_of_zeros", 7}, {"mhz_of_zeros", 1000}};
  EXPECT_EQ(join_point(point, {&result}).error("joules"), 1);
  EXPECT_EQ(join_point(point, {&result}).error("watts"), 4);
  point.zero_operands = true;
  EXPECT_EQ(join_point(point, {&result}).error("joules"), -0.5);
  EXPECT_EQ(join_point(point, {&result}).error("watts"), -0.5);
  EXPECT_EQ(join_point(point, {&result}).headline(), "joules");
}

TEST(CompareReport, OneMetricStandsForAllGemms) {
  ComparedPoint only_time = gemm(kSparse, 1, 1);
  only_time.point.measured = {{"time_us", 5}};
  only_time.simulated["time_us"] = 4;
  const CompareReport report = report_of({gemm(kDense, 110, 100), gemm(kDense, 120, 100, 512), only_time});
  EXPECT_EQ(report.points[0].headline(), "cycles_elapsed");
  EXPECT_EQ(report.points[2].headline(), "");  // has only the other unit
  EXPECT_NE(report.find("gemm, cold L2", "time_us"), nullptr);
  EXPECT_TRUE(report.speedups.empty());
  EXPECT_EQ(worst_points(report, 10).size(), 2U);
  EXPECT_EQ(report_of({only_time}).points[0].headline(), "time_us");
}

TEST(CompareReport, SpeedupPairsTwinsOfOneShape) {
  const CompareReport report = report_of({gemm(kDense, 110, 100), gemm(kSparse, 55, 80), gemm(kSparse, 55, 80, 512)});
  ASSERT_EQ(report.speedups.size(), 1U);  // the larger one has no dense twin
  EXPECT_NEAR(report.speedups[0].simulated, 2.0, 1e-12);
  EXPECT_NEAR(report.speedups[0].measured, 1.25, 1e-12);
  EXPECT_NEAR(report.speedup_statistics.mape, 0.6, 1e-12);
}

TEST(CompareReport, FailuresAreCountedAndLeftOutOfStatistics) {
  ComparePoint point = gemm(kSparse, 1, 1).point;
  TaskResult result;
  result.failure = "fault at 0x0";
  const CompareReport report = report_of({gemm(kDense, 110, 100), join_point(point, {&result})});
  EXPECT_EQ(report.failures, 1U);
  EXPECT_EQ(report.find("gemm, cold L2", "cycles")->statistics.points, 1U);
  EXPECT_THAT(compare_table(report, std::nullopt), testing::HasSubstr("fault at 0x0"));
  EXPECT_THAT(compare_csv(report), testing::HasSubstr("fault at 0x0"));
}

TEST(CompareReport, PublishedRatesComeFromClocks) {
  ComparePoint point;
  point.kind = ComparePoint::Kind::kPublishedMma;
  point.operations = 2048;
  SimulationTask task;
  task.kind = SimulationTask::Kind::kMicro;
  task.micro.warps = 8;
  task.micro.kernel = "micro_loop_mma_c2";
  point.tasks = {task};
  TaskResult result;
  result.operations = 200;  // two chains
  result.metrics = {{"cycles", 3200}};
  const ComparedPoint joined = join_point(point, {&result});
  EXPECT_EQ(joined.simulated.at("iteration"), 32);
  EXPECT_EQ(joined.simulated.at("interval"), 16);
  EXPECT_EQ(joined.simulated.at("throughput"), 1024);
}

TEST(CompareReport, LibraryTakesTheFastestTileOfEachSide) {
  ComparePoint point;
  point.kind = ComparePoint::Kind::kLibraryGemm;
  point.tasks.resize(4);
  point.dense_tasks = 2;
  std::vector<TaskResult> results(4);
  const double times[] = {12, 10, 7, 8};
  std::vector<const TaskResult*> pointers;
  for (std::size_t i = 0; i < 4; ++i) {
    results[i].metrics["time_us"] = times[i];
    pointers.push_back(&results[i]);
  }
  const ComparedPoint joined = join_point(point, pointers);
  EXPECT_EQ(joined.simulated.at("dense_us"), 10);
  EXPECT_EQ(joined.simulated.at("sparse_us"), 7);
}

TEST(Baseline, TellsBetterFromWorse) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "before.json",
      compare_json(report_of({gemm(kDense, 110, 100), gemm(kSparse, 90, 100), gemm(kDense, 1, 1, 512)})).dump());
  const CompareReport now =
      report_of({gemm(kDense, 105, 100), gemm(kSparse, 88, 100), gemm(kSparse, 1, 1, 512), gemm(kDense, 1, 1, 512)});
  const BaselineComparison change = Baseline(file).compare(now);
  ASSERT_EQ(change.better.size(), 1U);
  EXPECT_THAT(change.better[0].id, testing::HasSubstr(kDense));
  EXPECT_NEAR(change.better[0].before, 0.10, 1e-12);
  EXPECT_NEAR(change.better[0].now, 0.05, 1e-12);
  ASSERT_EQ(change.worse.size(), 1U);
  EXPECT_NEAR(change.worse[0].now, -0.12, 1e-12);
  EXPECT_EQ(change.same, 1U);
  EXPECT_EQ(change.added, 1U);
  EXPECT_EQ(change.removed, 0U);
}

TEST(Baseline, RefusesOtherFiles) {
  const TemporaryFolder folder;
  const std::string file = folder.write("other.json", "{\"schema\": \"stcsim.result/1\"}");
  EXPECT_THAT(user_error([&] { Baseline{file}; }), testing::HasSubstr("is no report of stcsim compare"));
}

TEST(CompareReport, SaysWhenTheCommitIsNotAllOfTheProgram) {
  CompareReport report = report_of({gemm(kDense, 110, 100)});
  const auto everywhere = [&](const auto& matcher) {
    EXPECT_THAT(compare_html(report, std::nullopt), matcher);
    EXPECT_THAT(compare_table(report, std::nullopt), matcher);
    EXPECT_THAT(compare_json(report).dump(), matcher);
  };
  report.git = "0123456789ab";
  everywhere(testing::Not(testing::HasSubstr("Not for publication")));
  report.git = "0123456789ab+";
  everywhere(testing::HasSubstr("Built from a modified tree: commit 0123456789ab alone"));
  report.git = "unknown";
  everywhere(testing::HasSubstr("Built outside of git"));
}

TEST(HtmlReport, StandsAlone) {
  const CompareReport report = report_of({gemm(kDense, 110, 100), gemm(kSparse, 55, 80)});
  const std::string html = compare_html(report, std::nullopt);
  for (const char* outside : {"<script", "http://", "https://", "<link", "<img", "@import", "url("}) {
    EXPECT_THAT(html, testing::Not(testing::HasSubstr(outside)));
  }
  for (const char* part : {"id=\"scatter\"", "id=\"histogram\"", "id=\"speedup\"", "id=\"rate\"", "id=\"stalls\""}) {
    EXPECT_THAT(html, testing::HasSubstr(part));
  }
}

// Also of a single size, where there is nothing to join.
TEST(HtmlReport, DrawsSimulatedValuesAsRings) {
  const std::string html = compare_html(report_of({gemm(kDense, 110, 100), gemm(kSparse, 55, 80)}), std::nullopt);
  EXPECT_THAT(html, testing::HasSubstr("<circle class=\"line s1\""));
  EXPECT_THAT(html, testing::HasSubstr("simulated</title></circle>"));
  EXPECT_THAT(html, testing::Not(testing::HasSubstr("<path class=\"line s")));
}

}  // namespace
}  // namespace stc::sim
