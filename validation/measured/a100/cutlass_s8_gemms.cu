// SPDX-License-Identifier: Apache-2.0
// CUTLASS GEMMs of the tiles, stages and problems of real_runs.csv (s8, 128x96x64 and 64x64x64). Epilogues are those of
// CUTLASS's example 13 and of a plain GEMM: the profiled programs' own are not published beside their reports.
// Built with nvcc -cudart shared -arch=sm_80 -std=c++17 --expt-relaxed-constexpr and CUTLASS's include and
// tools/util/include; run with stcsim exec --gpu configs/gpus/a100_pcie.yaml --cold --set clock_mhz=1050
// --set memory.hbm.bytes_per_cycle=1627 (1212 at 1410 MHz).
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/gemm/device/gemm.h>

#include <cstdint>
#include <cstdio>

namespace {

using cutlass::gemm::GemmShape;
using Interleaved = cutlass::layout::ColumnMajorInterleaved<32>;
using InterleavedRows = cutlass::layout::RowMajorInterleaved<32>;
using Scaled = cutlass::epilogue::thread::LinearCombinationRelu<std::int8_t, 8, std::int32_t, float,
                                                                cutlass::epilogue::thread::ScaleType::OnlyAlphaScaling>;

using Plain = cutlass::gemm::device::Gemm<
    std::int8_t, cutlass::layout::RowMajor, std::int8_t, cutlass::layout::ColumnMajor, std::int32_t,
    cutlass::layout::RowMajor, std::int32_t, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<64, 64, 64>,
    GemmShape<32, 32, 64>, GemmShape<16, 8, 32>,
    cutlass::epilogue::thread::LinearCombination<std::int32_t, 4, std::int32_t, std::int32_t>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;

template <int kStages>
using Staged =
    cutlass::gemm::device::Gemm<std::int8_t, Interleaved, std::int8_t, InterleavedRows, std::int8_t, Interleaved,
                                std::int32_t, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
                                GemmShape<128, 96, 64>, GemmShape<32, 96, 64>, GemmShape<16, 8, 32>, Scaled,
                                cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<1>, kStages>;

template <class Gemm, class Output>
bool run(const char* name, int m, int n, int k, int lda, int ldb, int ldc) {
  std::int8_t *a = nullptr, *b = nullptr;
  Output *c = nullptr, *d = nullptr;
  cudaMalloc(&a, m * k);
  cudaMalloc(&b, n * k);
  cudaMalloc(&c, m * n * sizeof(Output));
  cudaMalloc(&d, m * n * sizeof(Output));
  cudaMemset(a, 1, m * k);
  cudaMemset(b, 1, n * k);
  Gemm gemm;
  const cutlass::Status status = gemm({{m, n, k}, {a, lda}, {b, ldb}, {c, ldc}, {d, ldc}, {1, 0}});
  cudaDeviceSynchronize();
  std::printf("%s: %s\n", name, cutlass::cutlassGetStatusString(status));
  return status == cutlass::Status::kSuccess;
}

template <int kStages>
bool run_staged(const char* name) {
  return run<Staged<kStages>, std::int8_t>(name, 3072, 384, 384, 3072 * 32, 384 * 32, 3072 * 32);
}

}  // namespace

int main() {
  const bool plain = run<Plain, std::int32_t>("64x64x64, 3 stages", 384, 384, 384, 384, 384, 384);
  const bool two = run_staged<2>("128x96x64, 2 stages"), three = run_staged<3>("128x96x64, 3 stages");
  return plain && two && three && run_staged<4>("128x96x64, 4 stages") ? 0 : 1;
}
