// SPDX-License-Identifier: Apache-2.0
// GEMMs whose operands are named by arrays of pointers on the device.
#include "cutlass/gemm/device/gemm_array.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::GemmArray<Half, Row, Half, Column, float, Row, float, cutlass::arch::OpClassTensorOp,
                                     cutlass::arch::Sm80, Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
                                     cutlass::epilogue::thread::LinearCombination<float, 4, float, float>>;

}  // namespace

FOREIGN_CASE(gemm_array) {
  const int m = 64, n = 64, k = 96;
  const foreign::Matrix<Half> a0(1, m, k), a1(2, m, k), b0(3, k, n, true), b1(4, k, n, true);
  const foreign::Matrix<float> zero(5, m, n);
  foreign::Device<float> d0(m * n), d1(m * n);
  foreign::Device<const Half*> a(std::vector<const Half*>{a0.get(), a1.get()}),
      b(std::vector<const Half*>{b1.get(), b0.get()});
  foreign::Device<float*> d(std::vector<float*>{d0.get(), d1.get()});
  Gemm gemm;
  FOREIGN_CUTLASS(gemm({{m, n, k}, a.get(), k, b.get(), k, d.get(), n, d.get(), n, {1.f, 0.f}, 2}));
  return foreign::equal(foreign::as_doubles(d0.host()), foreign::product_of(a0, b1, zero, 1, 0)) &&
         foreign::equal(foreign::as_doubles(d1.host()), foreign::product_of(a1, b0, zero, 1, 0));
}
