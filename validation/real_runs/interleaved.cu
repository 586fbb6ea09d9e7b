// SPDX-License-Identifier: Apache-2.0
// CUTLASS GEMMs of the tiles, stages and problems of measured/a100/real_runs.csv whose operands are whole numbers.
// Epilogues are those of CUTLASS's example 13 and of a plain GEMM: the profiled programs' own are not published beside
// their reports.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/gemm/device/gemm.h>

#include <cstdint>
#include <cstdio>

namespace {

using cutlass::gemm::GemmShape;

using Plain = cutlass::gemm::device::Gemm<
    std::int8_t, cutlass::layout::RowMajor, std::int8_t, cutlass::layout::ColumnMajor, std::int32_t,
    cutlass::layout::RowMajor, std::int32_t, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<64, 64, 64>,
    GemmShape<32, 32, 64>, GemmShape<16, 8, 32>,
    cutlass::epilogue::thread::LinearCombination<std::int32_t, 4, std::int32_t, std::int32_t>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;

// Elements of 32 bytes lie together, as the interleaved layouts want them.
template <class Element, int kStages, int kTogether = 256 / cutlass::sizeof_bits<Element>::value>
using Interleaved = cutlass::gemm::device::Gemm<
    Element, cutlass::layout::ColumnMajorInterleaved<kTogether>, Element,
    cutlass::layout::RowMajorInterleaved<kTogether>, Element, cutlass::layout::ColumnMajorInterleaved<kTogether>,
    std::int32_t, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<128, 96, 2 * kTogether>,
    GemmShape<32, 96, 2 * kTogether>, GemmShape<16, 8, kTogether>,
    cutlass::epilogue::thread::LinearCombinationRelu<Element, kTogether / 4, std::int32_t, float,
                                                     cutlass::epilogue::thread::ScaleType::OnlyAlphaScaling>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<1>, kStages>;

constexpr int kColumns = 384, kDepth = 384;

template <class Gemm>
bool run(const char* name, int rows, int lda, int ldb, int ldc) {
  using A = typename Gemm::ElementA;
  using D = typename Gemm::ElementC;
  A *a = nullptr, *b = nullptr;
  D *c = nullptr, *d = nullptr;
  const std::size_t bytes = static_cast<std::size_t>(rows) * 384 * sizeof(std::int32_t);  // enough for each of them
  for (void** matrix : {reinterpret_cast<void**>(&a), reinterpret_cast<void**>(&b), reinterpret_cast<void**>(&c),
                        reinterpret_cast<void**>(&d)}) {
    cudaMalloc(matrix, bytes);
    cudaMemset(*matrix, 1, bytes);
  }
  Gemm gemm;
  bool well =
      gemm({{rows, kColumns, kDepth}, {a, lda}, {b, ldb}, {c, ldc}, {d, ldc}, {1, 0}}) == cutlass::Status::kSuccess;
  well = cudaDeviceSynchronize() == cudaSuccess && well;
  std::printf("%s: %s\n", name, well ? "done" : "failed");
  return well;
}

template <class Element, int kStages>
bool run_interleaved(const char* name, int rows) {
  constexpr int kTogether = 256 / cutlass::sizeof_bits<Element>::value;
  return run<Interleaved<Element, kStages>>(name, rows, rows * kTogether, kColumns * kTogether, rows * kTogether);
}

}  // namespace

int main() {
  bool well = run<Plain>("s8, 64x64x64, 3 stages", 384, kDepth, kDepth, kColumns);
  well = run_interleaved<std::int8_t, 2>("s8, 128x96x64, 2 stages", 3072) && well;
  well = run_interleaved<std::int8_t, 3>("s8, 128x96x64, 3 stages", 3072) && well;
  well = run_interleaved<std::int8_t, 4>("s8, 128x96x64, 4 stages", 3072) && well;
  well = run_interleaved<std::int8_t, 3>("s8, 128x96x64, 3 stages, 12 CTAs", 384) && well;
  return run_interleaved<cutlass::int4b_t, 3>("s4, 128x96x128, 3 stages", 3072) && well ? 0 : 1;
}
