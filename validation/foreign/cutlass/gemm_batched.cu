// SPDX-License-Identifier: Apache-2.0
// Three GEMMs in one launch, their operands a fixed distance apart.
#include "cutlass/gemm/device/gemm_batched.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::GemmBatched<Half, Row, Half, Column, float, Row, float, cutlass::arch::OpClassTensorOp,
                                       cutlass::arch::Sm80, Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
                                       cutlass::epilogue::thread::LinearCombination<float, 4, float, float>>;

}  // namespace

FOREIGN_CASE(gemm_batched) {
  const int m = 64, n = 128, k = 64, batches = 3;
  // Batches of A and D follow one another along the rows, those of B along the columns.
  const foreign::Matrix<Half> a(1, m * batches, k), b(2, k, n * batches, true);
  foreign::Device<float> d(m * n * batches);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm({{m, n, k},
                        {a.get(), k},
                        m * k,
                        {b.get(), k},
                        n * k,
                        {d.get(), n},
                        m * n,
                        {d.get(), n},
                        m * n,
                        {1.f, 0.f},
                        batches}));
  std::vector<double> expected;
  for (int i = 0; i < batches; ++i) {
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < n; ++c) {
        double sum = 0;
        for (int x = 0; x < k; ++x) sum += double(a.at(i * m + r, x)) * b.at(x, i * n + c);
        expected.push_back(sum);
      }
    }
  }
  return foreign::equal(foreign::as_doubles(d.host()), expected);
}
