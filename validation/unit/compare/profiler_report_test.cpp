// SPDX-License-Identifier: Apache-2.0
// Reports of Nsight Compute. data/h200_two_kernels.ncu-rep is what `ncu --clock-control none --section LaunchStats
// --metrics ...` of Nsight Compute 2025.3 wrote on an H200 for `transpose` of validation/kernels/ordinary.cu and a 2:4
// GEMM of the library; the program's path in it was replaced. Figures: `ncu --import FILE --page raw --csv`.
#include "sim/compare/profiler_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/compare/report_launch.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

constexpr char kReport[] = "validation/unit/compare/data/h200_two_kernels.ncu-rep";

TEST(ProfilerReport, HoldsWhatTheProfilerSays) {
  const ProfilerReport report = read_profiler_report(kReport);
  ASSERT_EQ(report.launches.size(), 2U);
  EXPECT_EQ(report.cubins.size(), 2U);
  const ProfiledLaunch &transpose = report.launches[0], &gemm = report.launches[1];
  EXPECT_EQ(transpose.kernel, "transpose");
  EXPECT_EQ(gemm.kernel, "f16_sp24_128x128x64_w64x32_s3");
  EXPECT_EQ(transpose.grid, (std::array<std::uint32_t, 3>{32, 22, 1}));
  EXPECT_EQ(transpose.block, (std::array<std::uint32_t, 3>{32, 8, 1}));
  EXPECT_EQ(gemm.grid, (std::array<std::uint32_t, 3>{16, 1, 1}));
  EXPECT_EQ(transpose.number("smsp__inst_executed.sum"), 432608);
  EXPECT_EQ(gemm.number("smsp__inst_executed.sum"), 161024);
  EXPECT_EQ(gemm.number("gpc__cycles_elapsed.max"), 14598);
  EXPECT_EQ(gemm.number("dram__bytes_read.sum"), 830720);
  EXPECT_EQ(gemm.number("launch__shared_mem_per_block_dynamic"), 76800);
  EXPECT_NEAR(*gemm.number("gpc__cycles_elapsed.avg.per_second"), 1.8296e9, 1e5);
  EXPECT_EQ(transpose.texts.at("device__attribute_display_name"), "NVIDIA H200");
  EXPECT_EQ(transpose.number("nobody"), std::nullopt);
}

TEST(ProfilerReport, KernelsAreFoundByEitherName) {
  ProfilerReport report = read_profiler_report(kReport);
  EXPECT_EQ(kernel_of(report, report.launches[1]).kernel.registers, 168);
  report.launches[0].kernel = "void transpose<1>(const float *, float *, int, int)";
  EXPECT_EQ(kernel_of(report, report.launches[0]).kernel.name, "transpose");
  report.launches[0].kernel = "nobody";
  EXPECT_THROW(kernel_of(report, report.launches[0]), UserError);
}

/// Of parts that one side tells apart the sum is compared.
TEST(ProfilerReport, StallsAreComparedForEachIssue) {
  ProfiledLaunch launch;
  const auto set = [&](const std::string& name, double value) {
    launch.numbers["smsp__average_warps_issue_stalled_" + name + "_per_issue_active.ratio"] = value;
  };
  set("barrier", 1.5);
  set("lg_throttle", 0.25);
  set("mio_throttle", 0.5);
  gpu::RunStatistics run;
  run.total.stalls[static_cast<std::size_t>(Stall::kIssued)] = 100;
  run.total.stalls[static_cast<std::size_t>(Stall::kBarrier)] = 120;
  run.total.stalls[static_cast<std::size_t>(Stall::kMemoryQueue)] = 50;
  const gpu::GpuParams gpu{};
  const auto rows = reported_figures(launch, describe_run().json({&run, &gpu}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].title, "stall: barrier");
  EXPECT_DOUBLE_EQ(rows[0].reported, 1.5);
  EXPECT_DOUBLE_EQ(rows[0].simulated, 1.2);
  EXPECT_DOUBLE_EQ(rows[1].reported, 0.75);
  EXPECT_DOUBLE_EQ(rows[1].simulated, 0.5);
}

/// Two instances of a template go by one name: the one with the reported number of registers is meant.
TEST(ProfilerReport, RegistersTellKernelsOfOneNameApart) {
  ProfilerReport report;
  for (const char* folder : {"sm_80", "sm_90"}) {
    report.cubins.push_back(read_bytes(std::string("validation/functional/cubins/") + folder + "/sample_grid.cubin"));
  }
  ProfiledLaunch launch;
  launch.kernel = "grid_reduce";
  EXPECT_THAT(user_error([&] { kernel_of(report, launch); }), testing::HasSubstr("several kernels of the report"));
  for (const int registers : {20, 16}) {
    launch.numbers["launch__registers_per_thread"] = registers;
    const ReportedKernel found = kernel_of(report, launch);
    EXPECT_EQ(found.kernel.registers, registers);
    EXPECT_EQ(found.cubin, &report.cubins[registers == 20 ? 0 : 1]);
  }
}

TEST(ProfilerReport, DamagedFilesAreRefused) {
  const TemporaryFolder folder;
  const std::string whole = read_text(kReport);
  EXPECT_THROW(read_profiler_report(folder.write("a.ncu-rep", "no report")), UserError);
  EXPECT_THROW(read_profiler_report(folder.write("a.ncu-rep", "")), UserError);
  EXPECT_THROW(read_profiler_report(folder.path("none.ncu-rep")), UserError);
  for (std::size_t bytes = 4; bytes < whole.size(); bytes += 1009) {  // an end between two blocks is not seen
    try {
      EXPECT_LT(read_profiler_report(folder.write("a.ncu-rep", whole.substr(0, bytes))).launches.size(), 2U) << bytes;
    } catch (const UserError&) {
    }
  }
  for (std::size_t at = 8; at < whole.size(); at += 307) {
    std::string bent = whole;
    bent[at] = static_cast<char>(bent[at] ^ 0xff);
    try {
      const ProfilerReport report = read_profiler_report(folder.write("a.ncu-rep", bent));
      for (const ProfiledLaunch& launch : report.launches) kernel_of(report, launch);
    } catch (const UserError&) {
    }
  }
}

}  // namespace
}  // namespace stc::sim
