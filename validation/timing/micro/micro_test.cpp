// SPDX-License-Identifier: Apache-2.0
// The runner of measured microbenchmarks: reads the tables, runs the cubins, joins the numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/config/gpu_config.h"
#include "sim/micro/report.h"
#include "sim/micro/run_point.h"

namespace stc::micro {
namespace {

const std::string kFolder = "validation/measured/h200/";

std::size_t launches(const char* table) { return read_points(kFolder + table, "").size(); }

Point one_point(const char* table, const std::string& filter) {
  const std::vector<Point> points = read_points(kFolder + table, filter);
  EXPECT_EQ(points.size(), 1u) << filter;
  return points.at(0);
}

Result run(const Point& point) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  Result result;
  result.point = &point;
  gpu::Machine machine("gpu", gpu.params);
  result.simulated = Runner(machine, "validation/kernels", true).run(point).simulated;
  return result;
}

TEST(MicroPoints, EveryLaunchOfTheTablesIsOnePoint) {
  EXPECT_EQ(launches("intervals.csv"), 4759u);
  EXPECT_EQ(launches("clocks.csv"), 131u);
  EXPECT_EQ(launches("latency.csv"), 6u);
  EXPECT_EQ(launches("ctas.csv"), 64u);
}

TEST(MicroPoints, OtherFilesAreRefused) {
  EXPECT_THROW(read_points(kFolder + "mma_hashes.csv", ""), sim::UserError);
  EXPECT_THROW(read_points(kFolder + "missing.csv", ""), sim::UserError);
}

TEST(MicroPoints, ShorteningScalesPassesAndTime) {
  Point point = one_point("intervals.csv", "bandwidth,micro_ldg_128_cg,132,32,out data 16896 16");
  const double before = point.measured.at(0);
  ASSERT_TRUE(shorten(point, 4));
  EXPECT_EQ(point.args, "out data 16896 4");
  EXPECT_DOUBLE_EQ(point.measured.at(0), before / 4);
  Point chain = one_point("intervals.csv", "mma,micro_mma_m16n8k16_f32_f16_f16_f32_c1,1,1,");
  EXPECT_FALSE(shorten(chain, 4));
}

TEST(MicroRunner, AChainOfMatrixInstructionsTakesWhatItTookOnSilicon) {
  const Point point = one_point("intervals.csv", "mma,micro_mma_m16n8k16_f32_f16_f16_f32_c1,1,1,");
  const Result result = run(point);
  EXPECT_EQ(result.measured_value(), 24637);
  EXPECT_NEAR(result.error(), 0, 0.02) << text_row(result);
}

TEST(MicroRunner, ClocksAreRelativeToTheFirst) {
  const Point point = one_point("clocks.csv", "micro_issue_none,1,1,");
  const Result result = run(point);
  ASSERT_EQ(result.simulated.size(), point.measured.size());
  EXPECT_EQ(result.simulated.front(), 0);
  EXPECT_NEAR(result.error(), 0, 0.1) << text_row(result);
}

struct TableErrors {
  double mean = 0, worst = 0;  // absolute, relative to the measurement
};

TableErrors errors_of(const char* table, const std::string& filter) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  Runner runner(machine, "validation/kernels");
  TableErrors errors;
  const std::vector<Point> points = read_points(kFolder + table, filter);
  for (const Point& point : points) {
    Result result;
    result.point = &point;
    result.simulated = runner.run(point).simulated;
    const double error = std::abs(result.error());
    errors.mean += error / static_cast<double>(points.size());
    errors.worst = std::max(errors.worst, error);
  }
  return errors;
}

// 144 points each: the registers of memory instructions beside those of matrix instructions.
TEST(MicroTables, MemoryInstructionsOfASubCoreBesideMatrixInstructions) {
  const TableErrors errors = errors_of("memory_ports.csv", "memory_ports,");
  EXPECT_LT(errors.mean, 0.022);
  EXPECT_LT(errors.worst, 0.16);
}

TEST(MicroTables, MemoryInstructionsOfAllSubCoresBesideMatrixInstructions) {
  EXPECT_LT(errors_of("memory_ports.csv", "memory_ports_all,").mean, 0.042);
}

// A GEMM's k-loop taken apart, and copies in groups between matrix loads and matrix instructions.
TEST(MicroTables, PartsOfALoop) { EXPECT_LT(errors_of("parts.csv", "parts,").mean, 0.028); }
TEST(MicroTables, GroupsOfCopies) { EXPECT_LT(errors_of("parts.csv", "copy_groups,").mean, 0.038); }

// A thread's place comes by the queue of memory instructions, behind stores; the CTA's does not (DEVIATIONS, T33).
TEST(MicroTables, ThreadsOfACta) {
  EXPECT_LT(errors_of("status.csv", "status,micro_status_tid_x,1,8,out data 0").worst, 0.01);
}
TEST(MicroTables, ThreadsOfACtaBesideStores) {
  EXPECT_LT(errors_of("status.csv", "status,micro_status_tid_x,1,8,out data 32").worst, 0.27);
}
TEST(MicroTables, MatchesByTheirValues) {
  EXPECT_LT(errors_of("status.csv", "status,micro_status_match_").worst, 0.09);
}
TEST(MicroTables, ReductionsOfAWarp) { EXPECT_LT(errors_of("status.csv", "status,micro_status_reduce_").worst, 0.05); }
TEST(MicroTables, SpecialRegistersOfCtas) {
  EXPECT_LT(errors_of("status.csv", "status,micro_status_ctaid_x").worst, 0.01);
}

// Of all that is stored without end, what one SM stores in lines, in pairs of sectors and in halves, and what of one
// sector (DEVIATIONS, T33).
TEST(MicroTables, SectorsThatAWarpStores) {
  EXPECT_LT(errors_of("stores.csv", "stores,micro_stores_fill,1,1,").worst, 0.07);
}
TEST(MicroTables, LinesThatOneSmStores) {
  EXPECT_LT(errors_of("stores.csv", "stores,micro_stores_lines,1,").worst, 0.005);
}
TEST(MicroTables, HalvesOfLinesThatOneSmStores) {
  EXPECT_LT(errors_of("stores.csv", "stores,micro_stores_half_lines,1,").worst, 0.01);
}
TEST(MicroTables, HalvesOfSectorsThatOneSmStores) {
  EXPECT_LT(errors_of("stores.csv", "stores,micro_stores_once,1,").worst, 0.045);
}

// When the registers of copies and stores may be overwritten, which tells how many of them wait and where.
TEST(MicroTables, CopiesThatWait) { EXPECT_LT(errors_of("releases.csv", "release,micro_release_ldgsts").mean, 0.046); }
TEST(MicroTables, StoresThatWait) { EXPECT_LT(errors_of("releases.csv", "exit,micro_exit_stg_128").mean, 0.062); }
TEST(MicroTables, WholeAndHalfSectorsThatAllSmsStore) {
  EXPECT_LT(errors_of("releases.csv", "exit_all,").worst, 0.108);
}

TEST(MicroTables, ReductionsOfLanesThatDoNotMeet) {
  const TableErrors errors = errors_of("atomics_patterns.csv", "atomics_patterns,");
  EXPECT_LT(errors.mean, 0.16);
  EXPECT_LT(errors.worst, 0.39);
}

TEST(MicroReport, ErrorsAreRelativeToTheMeasurement) {
  Point point;
  point.group = "g";
  point.measured = {100, 100, 100};
  Result right, high, failed;
  right.point = high.point = failed.point = &point;
  right.simulated = {100, 100, 100};
  high.simulated = {110, 110, 110};
  failed.failure = "deadlock";
  EXPECT_DOUBLE_EQ(high.error(), 0.1);
  const std::string text = summary({right, high, failed});
  EXPECT_NE(text.find("5.00%"), std::string::npos) << text;
  EXPECT_NE(csv({failed}).find("deadlock"), std::string::npos);
}

}  // namespace
}  // namespace stc::micro
