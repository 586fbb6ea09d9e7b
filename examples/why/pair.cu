// SPDX-License-Identifier: Apache-2.0
// A 2:4 sparse GEMM of CUTLASS and its dense twin, launch after launch on the same shapes, for `stcsim exec --capture`.
// What the matrices hold changes no cycle, so they are zeros.
#include <cuda_runtime.h>

#include <cstdio>

#include "cutlass/gemm/device/gemm.h"
#include "cutlass/gemm/device/gemm_sparse.h"

using Half = cutlass::half_t;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Tensor = cutlass::arch::OpClassTensorOp;
using Sm80 = cutlass::arch::Sm80;
using Tile = cutlass::gemm::GemmShape<128, 128, 64>;
using WarpTile = cutlass::gemm::GemmShape<64, 64, 64>;
using Epilogue = cutlass::epilogue::thread::LinearCombination<float, 4, float, float>;
using Swizzle = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>;

using Dense = cutlass::gemm::device::Gemm<Half, Row, Half, Column, float, Row, float, Tensor, Sm80, Tile, WarpTile,
                                          cutlass::gemm::GemmShape<16, 8, 16>, Epilogue, Swizzle, 3>;
using Sparse = cutlass::gemm::device::SparseGemm<Half, Row, Half, Column, float, Row, float, Tensor, Sm80, Tile,
                                                 WarpTile, cutlass::gemm::GemmShape<16, 8, 32>, Epilogue, Swizzle, 3>;

template <class T>
T* zeros(std::size_t count) {
  void* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}

int main() {
  constexpr int m = 512, n = 512, k = 1024;
  Half *a = zeros<Half>(m * k), *b = zeros<Half>(n * k);
  float *c = zeros<float>(m * n), *d = zeros<float>(m * n);
  auto* e = zeros<Sparse::ElementE>(m * k / 2 / Sparse::kElementsPerElementE);
  const auto layout_e = Sparse::LayoutE::packed({m, k / 2 / Sparse::kElementsPerElementE});

  const bool dense = Dense()({{m, n, k}, {a, k}, {b, k}, {c, n}, {d, n}, {1, 0}}) == cutlass::Status::kSuccess;
  const bool sparse =
      Sparse()({{m, n, k}, {a, k / 2}, {b, k}, {c, n}, {d, n}, {e, layout_e}, {1, 0}}) == cutlass::Status::kSuccess;
  const bool ended = cudaDeviceSynchronize() == cudaSuccess;
  std::printf("%s\n", dense && sparse && ended ? "done" : "failed");
  return dense && sparse && ended ? 0 : 1;
}
