// SPDX-License-Identifier: Apache-2.0
// Products of different sizes in one launch; CTAs find their tiles by search.
#include <memory>

#include "cutlass/gemm/device/gemm_grouped.h"
#include "cutlass/gemm/kernel/default_gemm_grouped.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Kernel = cutlass::gemm::kernel::DefaultGemmGrouped<
    Half, Row, cutlass::ComplexTransform::kNone, 8, Half, Column, cutlass::ComplexTransform::kNone, 8, float, Row,
    float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmBatchedIdentityThreadblockSwizzle, 3>::GemmKernel;
using Gemm = cutlass::gemm::device::GemmGrouped<Kernel>;

}  // namespace

FOREIGN_CASE(gemm_grouped) {
  std::vector<cutlass::gemm::GemmCoord> sizes{{64, 64, 64}, {128, 64, 32}, {72, 136, 96}, {8, 200, 64}};
  const int count = static_cast<int>(sizes.size());
  std::vector<std::unique_ptr<foreign::Matrix<Half>>> a, b;
  std::vector<std::unique_ptr<foreign::Device<float>>> d;
  std::vector<Half*> pa, pb;
  std::vector<float*> pd;
  std::vector<std::int64_t> lda, ldb, ldd;
  for (int i = 0; i < count; ++i) {
    a.push_back(std::make_unique<foreign::Matrix<Half>>(10 + i, sizes[i].m(), sizes[i].k()));
    b.push_back(std::make_unique<foreign::Matrix<Half>>(20 + i, sizes[i].k(), sizes[i].n(), true));
    d.push_back(std::make_unique<foreign::Device<float>>(sizes[i].m() * sizes[i].n()));
    pa.push_back(a[i]->get()), pb.push_back(b[i]->get()), pd.push_back(d[i]->get());
    lda.push_back(sizes[i].k()), ldb.push_back(sizes[i].k()), ldd.push_back(sizes[i].n());
  }
  foreign::Device<cutlass::gemm::GemmCoord> dsizes(sizes);
  foreign::Device<Half*> da(pa), db(pb);
  foreign::Device<float*> dd(pd);
  foreign::Device<std::int64_t> dlda(lda), dldb(ldb), dldd(ldd);
  Gemm::Arguments arguments(dsizes.get(), count, 6, {1.f, 0.f}, da.get(), db.get(), dd.get(), dd.get(), dlda.get(),
                            dldb.get(), dldd.get(), dldd.get(), sizes.data());
  foreign::Device<unsigned char> workspace(Gemm::get_workspace_size(arguments) + 16);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(gemm.run());
  for (int i = 0; i < count; ++i) {
    const foreign::Matrix<float> zero(5, sizes[i].m(), sizes[i].n());
    if (!foreign::equal(foreign::as_doubles(d[i]->host()), foreign::product_of(*a[i], *b[i], zero, 1, 0))) return false;
  }
  return true;
}
