// SPDX-License-Identifier: Apache-2.0
// GEMM that gathers rows of A and scatters rows of D by lists of indices.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm_universal.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;
using Keep = cutlass::ComplexTransform;

using Gemm =
    cutlass::gemm::device::GemmUniversal<Half, Row, Half, Row, float, Row, float, cutlass::arch::OpClassTensorOp,
                                         cutlass::arch::Sm80, Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 8, 8,
                                         cutlass::arch::OpMultiplyAdd, Keep::kNone, Keep::kNone, true, false, true>;

}  // namespace

FOREIGN_CASE(gemm_gather) {
  const int m = 128, n = 64, k = 96, rows = 300;
  const std::vector<int> from = foreign::integers(5, m, 0, rows - 1);
  std::vector<int> to(m);
  for (int i = 0; i < m; ++i) to[i] = (7 * i + 3) % rows;
  const foreign::Matrix<Half> a(1, rows, k), b(2, k, n);
  foreign::Device<float> c(rows * n), d(rows * n);
  foreign::Device<int> device_from(from), device_to(to);
  const std::int64_t size_a = std::int64_t{rows} * k, size_b = std::int64_t{k} * n, size_d = std::int64_t{rows} * n;
  Gemm::Arguments arguments(cutlass::gemm::GemmUniversalMode::kGemm, {m, n, k}, 1, {1.f, 0.f}, a.get(), b.get(),
                            c.get(), d.get(), size_a, size_b, size_d, size_d, Row(k).stride(), Row(n).stride(),
                            Row(n).stride(), Row(n).stride(), device_from.get(), nullptr, device_to.get());
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.initialize(arguments));
  FOREIGN_CUTLASS(gemm());
  std::vector<double> expected(rows * n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int q = 0; q < k; ++q) expected[to[i] * n + j] += double(a.at(from[i], q)) * b.at(q, j);
    }
  }
  return foreign::near(foreign::as_doubles(d.host()), expected, 0);
}
