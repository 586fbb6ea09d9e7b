// SPDX-License-Identifier: Apache-2.0
// A cluster whose second CTA's rows lie outside of A and D: it reads zeros instead, a request for four rows, as an H200
// does (measured/h200/copies_outside.csv).
#include <gtest/gtest.h>

#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

/// Of 256 rows the second CTA of each cluster has none.
gpu::RunStatistics run_of(int m, int n, int k, gpu::Machine& machine, GemmRun request) {
  request.plan.kernel = "f16_dense_256x128x64_wg128x128_s4_c2x1";
  request.plan.m = m;
  request.plan.n = n;
  request.plan.k = k;
  return run_gemm(request, machine).run;
}

std::uint64_t bytes_of_no_buffer(int m, gpu::Machine& machine, const GemmRun& request) {
  return run_of(m, 128, 256, machine, request).total.l2.read[static_cast<std::size_t>(DataRole::kOther)];
}

TEST(RowsOutside, ReadZeros) {
  GemmRun request;
  request.gpu = "h200";
  gpu::Machine machine("gpu", gpu_of(request).params);
  constexpr std::uint64_t kTiles = 4, kRequests = 256 / 4, kLine = 128;
  EXPECT_EQ(bytes_of_no_buffer(256, machine, request), kTiles * kRequests * kLine);
  EXPECT_EQ(bytes_of_no_buffer(512, machine, request), 0u);
}

/// Zeros for half of all SMs stay in the few slices that have them until the SMs have made rows of them, and others'
/// answers behind them: half the work takes an eighth longer than the whole (4 % where they leave at once).
TEST(RowsOutside, WaitInTheirSlices) {
  GemmRun request;
  request.gpu = "h200";
  gpu::Machine machine("gpu", gpu_of(request).params);
  constexpr int kColumns = 66 * 128, kDepth = 256;
  const auto half = static_cast<double>(run_of(256, kColumns, kDepth, machine, request).cycles);
  const auto whole = static_cast<double>(run_of(512, kColumns, kDepth, machine, request).cycles);
  EXPECT_GT(half, 1.08 * whole);
}

}  // namespace
}  // namespace stc::timing
