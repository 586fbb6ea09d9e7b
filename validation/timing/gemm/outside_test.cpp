// SPDX-License-Identifier: Apache-2.0
// A cluster whose second CTA's rows lie outside of A and D: it reads zeros instead, a request for four rows, as an H200
// does (measured/h200/copies_outside.csv).
#include <gtest/gtest.h>

#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

std::uint64_t bytes_of_no_buffer(int m, gpu::Machine& machine, GemmRun request) {
  request.plan.kernel = "f16_dense_256x128x64_wg128x128_s4_c2x1";
  request.plan.m = m;
  request.plan.n = 128;
  request.plan.k = 256;
  const gpu::RunStatistics run = run_gemm(request, machine).run;
  return run.total.l2.read[static_cast<std::size_t>(DataRole::kOther)];
}

TEST(RowsOutside, ReadZeros) {
  GemmRun request;
  request.gpu = "h200";
  gpu::Machine machine("gpu", gpu_of(request).params);
  constexpr std::uint64_t kTiles = 4, kRequests = 256 / 4, kLine = 128;
  EXPECT_EQ(bytes_of_no_buffer(256, machine, request), kTiles * kRequests * kLine);
  EXPECT_EQ(bytes_of_no_buffer(512, machine, request), 0u);
}

}  // namespace
}  // namespace stc::timing
