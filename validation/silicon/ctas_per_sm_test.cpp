// SPDX-License-Identifier: Apache-2.0
// How many CTAs of a GEMM the SMs of an H200 got, counted with ncu: SMs whose CTAs end together get all the new ones,
// so this shows in which order the warps of an SM's CTAs are served.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/csv_table.h"
#include "validation/unit/sim/program.h"

namespace stc::silicon {
namespace {

TEST(CtasPerSm, AreAsOnSilicon) {
  const std::string kernel = "f16_dense_128x64x64_w64x32_s3";
  int found = 0;
  const sim::CsvTable table(STC_MEASURED "/ctas_per_sm.csv");
  for (const sim::CsvRow& row : table.rows()) {
    if (row.text("kernel") != kernel || row.text("m") != "2048" || row.text("k") != "1024") continue;
    ++found;
    const sim::ProgramResult run = sim::run_stcsim({"run",    STC_CONFIGS "/workloads/demo_1024_sparse.yaml",
                                                    "--json", "-",
                                                    "--set",  "gpu=" STC_CONFIGS "/gpus/h200.yaml",
                                                    "--set",  "options.values=addresses",
                                                    "--set",  "options.check=false",
                                                    "--set",  "options.compare_dense=false",
                                                    "--set",  "options.l2=" + row.text("l2"),
                                                    "--set",  "workload.gemm.kernel=" + kernel,
                                                    "--set",  "workload.gemm.m=" + row.text("m"),
                                                    "--set",  "workload.gemm.n=" + row.text("n"),
                                                    "--set",  "workload.gemm.k=" + row.text("k")});
    ASSERT_EQ(run.exit_code, 0) << run.error;
    const auto ctas = nlohmann::json::parse(run.output).at("per_sm").at("ctas");
    EXPECT_EQ(ctas.at("max"), row.number("ctas_launched_max"));
    EXPECT_EQ(ctas.at("min"), row.number("ctas_launched_min"));
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace stc::silicon
