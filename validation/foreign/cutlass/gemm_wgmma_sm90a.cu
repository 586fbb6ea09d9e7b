// SPDX-License-Identifier: Apache-2.0
// GEMM as CUTLASS builds it for Hopper: TMA, warpgroup products, warp specialisation.
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/util/packed_stride.hpp"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Half = cutlass::half_t;
using Tile = cute::Shape<cute::_64, cute::_64, cute::_64>;
using Cluster = cute::Shape<cute::_1, cute::_1, cute::_1>;
using Epilogue = cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster, cutlass::epilogue::collective::EpilogueTileAuto,
    float, float, float, cutlass::layout::RowMajor, 4, float, cutlass::layout::RowMajor, 4,
    cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
using Mainloop =
    cutlass::gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Half,
                                                 cutlass::layout::RowMajor, 8, Half, cutlass::layout::ColumnMajor, 8,
                                                 float, Tile, Cluster, cutlass::gemm::collective::StageCount<3>,
                                                 cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue>;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

}  // namespace

FOREIGN_RACE(gemm_wgmma) {
  const int m = 128, n = 128, k = 192;
  const foreign::Matrix<Half> a(1, m, k), b(2, k, n, true);
  const foreign::Matrix<float> c(3, m, n);
  foreign::Device<float> d(m * n);
  Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                            {m, n, k, 1},
                            {a.get(), cutlass::make_cute_packed_stride(Gemm::GemmKernel::StrideA{}, {m, k, 1}), b.get(),
                             cutlass::make_cute_packed_stride(Gemm::GemmKernel::StrideB{}, {n, k, 1})},
                            {{1.f, 0.f},
                             c.get(),
                             cutlass::make_cute_packed_stride(Gemm::GemmKernel::StrideC{}, {m, n, 1}),
                             d.get(),
                             cutlass::make_cute_packed_stride(Gemm::GemmKernel::StrideD{}, {m, n, 1})}};
  foreign::Device<unsigned char> workspace(Gemm::get_workspace_size(arguments) + 16);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.can_implement(arguments));
  FOREIGN_CUTLASS(gemm.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(gemm.run());
  return foreign::equal(foreign::as_doubles(d.host()), foreign::product_of(a, b, c, 1, 0));
}
