// SPDX-License-Identifier: Apache-2.0
// The five ways in which CUTLASS's example 47 computes 2048 x 2048 x 2048 in f16: by tiles, stream-K, stream-K told of
// one SM (which makes it go by tiles), K split in two, and stream-K told to split K in two. The first launch is there
// to fill the caches, which a series of launches would find so.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/device/gemm_universal.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle_streamk.h>

#include <cstdio>

namespace {

using Half = cutlass::half_t;
using Rows = cutlass::layout::RowMajor;
using cutlass::gemm::GemmShape;

template <class Swizzle>
using Universal = cutlass::gemm::device::GemmUniversal<
    Half, Rows, Half, Rows, Half, Rows, Half, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    GemmShape<128, 128, 32>, GemmShape<64, 64, 32>, GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<Half, 8, Half, Half>, Swizzle, 4, 8, 8>;
using ByTiles = Universal<cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>>;
using StreamK = Universal<cutlass::gemm::threadblock::ThreadblockSwizzleStreamK>;

constexpr int kSize = 2048, kElements = kSize * kSize;
Half *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;

template <class Gemm, class... Further>
bool run(const char* name, int splits, Further... further) {
  const typename Gemm::Arguments arguments(cutlass::gemm::GemmUniversalMode::kGemm, {kSize, kSize, kSize}, splits,
                                           {Half(1), Half(0)}, a, b, c, d, kElements, kElements, kElements, kElements,
                                           kSize, kSize, kSize, kSize, further...);
  Gemm gemm;
  void* workspace = nullptr;
  cudaMalloc(&workspace, Gemm::get_workspace_size(arguments) + 1);
  bool well = gemm.initialize(arguments, workspace) == cutlass::Status::kSuccess && gemm() == cutlass::Status::kSuccess;
  well = cudaDeviceSynchronize() == cudaSuccess && well;
  cudaFree(workspace);
  std::printf("%s: %s\n", name, well ? "done" : "failed");
  return well;
}

}  // namespace

int main() {
  for (Half** matrix : {&a, &b, &c, &d}) {
    cudaMalloc(matrix, kElements * sizeof(Half));
    cudaMemset(*matrix, 0, kElements * sizeof(Half));
  }
  const bool first = run<ByTiles>("by tiles, first", 1);
  const bool tiles = run<ByTiles>("by tiles", 1);
  const bool stream_k = run<StreamK>("stream-K", 1, -1);
  const bool one_sm = run<StreamK>("stream-K of one SM", 1, 1);
  const bool split = run<ByTiles>("K split in two", 2);
  return first && tiles && stream_k && one_sm && split && run<StreamK>("stream-K, K split in two", 2, -1) ? 0 : 1;
}
