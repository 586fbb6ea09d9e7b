// SPDX-License-Identifier: Apache-2.0
// Kernels for unstructured sparsity on the simulated H200 against the same binaries, with the same matrices, on a real
// one: those points of spmm.csv that take seconds here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/gpu/machine/machine.h"
#include "sim/base/csv_table.h"
#include "sim/crossover/spmm_launch.h"
#include "sim/launch/manifest.h"
#include "sim/run/run_launch.h"
#include "validation/kernels/spmm_integers.h"

namespace stc::silicon {
namespace {

int size_of(const sim::CsvRow& row, const char* name) { return static_cast<int>(row.number(name)); }

sim::SpmmOperands operands_of(const sim::SpmmKernel& kernel, const sim::CsvRow& row) {
  sim::SpmmOperands o;
  o.m = size_of(row, "m");
  o.n = size_of(row, "n");
  o.k = size_of(row, "k");
  const double sparsity = row.number("sparsity");
  o.sparse_a = sim::sparse_of(kernels::integers(o.m, o.k, sparsity, 1), o.m, o.k);
  if (kernel.format == sim::SpmmFormat::kCsrCsr) {
    o.sparse_b = sim::sparse_of(kernels::integers(o.k, o.n, sparsity, 2), o.k, o.n);
  } else {
    o.dense_b = kernels::integers(o.k, o.n, 0, 2);
  }
  return o;
}

TEST(Spmm, InstructionsAreEqualAndCyclesNearThoseOfSilicon) {
  const sim::GpuConfig gpu = sim::read_gpu_config(STC_CONFIGS "/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  const std::vector<sim::SpmmKernel> library = sim::load_spmm_library(sim::default_kernels_folder());
  double errors = 0;
  int compared = 0;
  const sim::CsvTable table(STC_MEASURED "/spmm.csv");
  for (const sim::CsvRow& row : table.rows()) {
    if (row.number("warp_instructions") > 1.5e6 || row.number("parts_of_k") > 1) continue;
    const auto kernel = std::find_if(library.begin(), library.end(),
                                     [&](const sim::SpmmKernel& one) { return one.name == row.text("kernel"); });
    ASSERT_NE(kernel, library.end()) << row.text("kernel");
    sim::ReadyLaunch ready =
        make_ready(prepare_spmm(*kernel, operands_of(*kernel, row), gpu.params.sm_version, gpu.params.sms), gpu);
    sim::RunOptions options;
    options.full_values = false;
    isa::GlobalMemory memory;
    const gpu::RunStatistics run = run_launch(ready, machine, options, memory).run;
    EXPECT_EQ(static_cast<double>(run.total.warp_instructions), row.number("warp_instructions")) << kernel->name;
    const double error = static_cast<double>(run.cycles_elapsed) / row.number("cycles_elapsed") - 1;
    std::printf("%s: %+.1f %%\n", kernel->name.c_str(), 100 * error);
    EXPECT_LT(std::fabs(error), 0.20) << kernel->name;
    errors += std::fabs(error);
    ++compared;
  }
  ASSERT_EQ(compared, 5);
  EXPECT_LT(errors / compared, 0.06);
}

}  // namespace
}  // namespace stc::silicon
