// SPDX-License-Identifier: Apache-2.0
// One kernel per matrix instruction (and selector): D = A x B + C on given register images, one warp per case.
// Images are lane-major: case after case, lane 0's registers first. Blocks of any number of full warps.
#include <cstdint>

#include "probe_asm.cuh"

template <int N>
__device__ void load(std::uint32_t (&registers)[N], const std::uint32_t* image, std::int64_t slot) {
  for (int i = 0; i < N; ++i) registers[i] = image[slot * N + i];
}

#define STC_PROBE_BODY_(na, nb, nc, STATEMENT)                                                             \
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / 32);                     \
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; \
  for (std::int64_t n = first; n < cases; n += warps) {                                                    \
    const std::int64_t slot = n * 32 + threadIdx.x % 32;                                                   \
    std::uint32_t a[na], b[nb], d[nc];                                                                     \
    load(a, a_image, slot);                                                                                \
    load(b, b_image, slot);                                                                                \
    load(d, c_image, slot);                                                                                \
    [[maybe_unused]] const std::uint32_t e = e_image[slot];                                                \
    STATEMENT;                                                                                             \
    for (int i = 0; i < nc; ++i) d_image[slot * nc + i] = d[i];                                            \
  }

#define STC_PROBE_SIGNATURE_(id)                                                                             \
  extern "C" __global__ void STC_CAT(probe_, id)(const std::uint32_t* a_image, const std::uint32_t* b_image, \
                                                 const std::uint32_t* c_image, const std::uint32_t* e_image, \
                                                 std::uint32_t* d_image, int cases)

#define STC_PROBE_DENSE(na, nb, nc, shape, sat, d_, a_, b_, c_)                                           \
  STC_PROBE_SIGNATURE_(STC_DENSE_ID(shape, sat, d_, a_, b_, c_)) {                                        \
    STC_PROBE_BODY_(na, nb, nc, STC_MMA_##na##nb##nc(STC_DENSE_PTX(shape, sat, d_, a_, b_, c_), d, a, b)) \
  }
#define STC_PROBE_SPARSE(na, nb, nc, shape, sat, d_, a_, b_, c_, sel)                                                 \
  STC_PROBE_SIGNATURE_(STC_SPARSE_ID(shape, sat, d_, a_, b_, c_, sel)) {                                              \
    STC_PROBE_BODY_(na, nb, nc, STC_MMA_SP_##na##nb##nc(STC_SPARSE_PTX(shape, sat, d_, a_, b_, c_), d, a, b, e, sel)) \
  }

STC_DENSE_FLOAT_OPS(STC_PROBE_DENSE)
STC_DENSE_INTEGER_OPS(STC_PROBE_DENSE)
STC_SPARSE_FLOAT_OPS(STC_PROBE_SPARSE)
STC_SPARSE_INTEGER_OPS(STC_PROBE_SPARSE)
#if __CUDA_ARCH__ >= 890
STC_DENSE_FP8_OPS(STC_PROBE_DENSE)
STC_SPARSE_FP8_OPS(STC_PROBE_SPARSE)
#endif
