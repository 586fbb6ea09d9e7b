// SPDX-License-Identifier: Apache-2.0
// A GEMM written with CuTe: layouts, tiled copies and one cooperative product of tiles in shared memory.
#include "cute/algorithm/cooperative_gemm.hpp"
#include "cute/tensor.hpp"
#include "validation/foreign/cutlass/operands.h"

namespace foreign_cute {  // an unnamed one is not found by the stub that nvcc makes of the kernel

template <typename Mma>
__global__ void tile_products(const cutlass::half_t* a, const cutlass::half_t* b, float* d, int n, int k) {
  using namespace cute;
  __shared__ alignas(16) half_t storage_a[64 * 32], storage_b[64 * 32];
  __shared__ alignas(16) float storage_d[64 * 64];
  const Tensor whole_a = make_tensor(make_gmem_ptr(a), make_shape(int(gridDim.y) * 64, k), make_stride(k, Int<1>{}));
  const Tensor whole_b = make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, Int<1>{}));
  Tensor sa = make_tensor(make_smem_ptr(storage_a), make_layout(make_shape(Int<64>{}, Int<32>{}), GenRowMajor{}));
  Tensor sb = make_tensor(make_smem_ptr(storage_b), make_layout(make_shape(Int<64>{}, Int<32>{}), GenRowMajor{}));
  Tensor sd = make_tensor(make_smem_ptr(storage_d), make_layout(make_shape(Int<64>{}, Int<64>{}), GenRowMajor{}));
  for (int i = threadIdx.x; i < 64 * 64; i += 128) storage_d[i] = 0;
  Mma mma;
  for (int t = 0; t < k / 32; ++t) {
    const Tensor ga = local_tile(whole_a, make_shape(Int<64>{}, Int<32>{}), make_coord(int(blockIdx.y), t));
    const Tensor gb = local_tile(whole_b, make_shape(Int<64>{}, Int<32>{}), make_coord(int(blockIdx.x), t));
    __syncthreads();
    cooperative_copy<128, 128>(threadIdx.x, ga, sa);
    cooperative_copy<128, 128>(threadIdx.x, gb, sb);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    cooperative_gemm(threadIdx.x, mma, 1.f, sa, sb, 1.f, sd);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    d[(blockIdx.y * 64 + i / 64) * n + blockIdx.x * 64 + i % 64] = sd(i / 64, i % 64);
  }
}

}  // namespace foreign_cute

FOREIGN_CASE(cute_gemm) {
  using namespace cute;
  using Mma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>>;
  const int m = 128, n = 64, k = 96;
  const foreign::Matrix<cutlass::half_t> a(1, m, k), b(2, k, n, true);
  const foreign::Matrix<float> zero(3, m, n);
  foreign::Device<float> d(m * n);
  foreign_cute::tile_products<Mma><<<dim3(n / 64, m / 64), 128>>>(a.get(), b.get(), d.get(), n, k);
  return foreign::equal(foreign::as_doubles(d.host()), foreign::product_of(a, b, zero, 1, 0));
}
