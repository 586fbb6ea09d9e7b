// SPDX-License-Identifier: Apache-2.0
// One kernel per warpgroup matrix instruction with 8 columns, source of A and selector: D = A x B + C on given register
// images, which are those of the warp-wide instruction of 16 rows (probe_mma.cu). The four warps of an instruction take
// A, C and metadata of four consecutive cases and the B of the first. Blocks of 128 threads.
#include <cstdint>

#include "probe_wgmma_ops.h"

#if __CUDA_ARCH_FEAT_SM90_ALL

namespace {

/// Of matrices without a swizzle: rows of 16 bytes, 8 of them a core matrix; along K the next one follows at once.
__device__ std::uint64_t descriptor(const void* at, unsigned bytes_between_rows) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(at));
  return (address >> 4) | (std::uint64_t{128 >> 4} << 16) | (std::uint64_t{bytes_between_rows >> 4} << 32);
}

template <int N>
__device__ void load(std::uint32_t (&registers)[N], const std::uint32_t* image, std::int64_t slot) {
  for (int i = 0; i < N; ++i) registers[i] = image[slot * N + i];
}

struct Shared {
  alignas(128) std::uint32_t a[8][2][8][4];  ///< [rows / 8][16 bytes of K][row][word]
  alignas(128) std::uint32_t b[4][8][4];     ///< [16 bytes of K][column][word]
};

template <int kWordsOfB>
__device__ void store_operands(Shared& shared, const std::uint32_t (&a)[4], const std::uint32_t (&b)[kWordsOfB]) {
  const unsigned warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, word = threadIdx.x % 4;
  for (unsigned r = 0; r < 4; ++r) shared.a[2 * warp + r % 2][r / 2][group][word] = a[r];
  if (warp == 0) {
    for (unsigned r = 0; r < kWordsOfB; ++r) shared.b[r][group][word] = b[r];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
}

}  // namespace

#define STC_TAIL_REG_half ", 1, 1, 0;"
#define STC_TAIL_MEM_half ", 1, 1, 0, 0;"
#define STC_TAIL_REG_scaled ", 1, 1;"
#define STC_TAIL_MEM_scaled ", 1, 1;"
#define STC_TAIL_REG_whole ";"
#define STC_TAIL_MEM_whole ";"

#define STC_D_4 "{%0, %1, %2, %3}"
#define STC_D_2 "{%0, %1}"
#define STC_IO_4 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define STC_IO_2 "+r"(d[0]), "+r"(d[1])
// Operands after D: A (or its descriptor), the descriptor of B, metadata, scale-d.
#define STC_REST_REG_4 "{%4, %5, %6, %7}, %8, "
#define STC_REST_REG_2 "{%2, %3, %4, %5}, %6, "
#define STC_REST_MEM_4 "%4, %5, "
#define STC_REST_MEM_2 "%2, %3, "
#define STC_META_REG_4 "%9, "
#define STC_META_REG_2 "%7, "
#define STC_META_MEM_4 "%6, "
#define STC_META_MEM_2 "%4, "
#define STC_IN_REG "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b_descriptor), "r"(e)
#define STC_IN_MEM "l"(a_descriptor), "l"(b_descriptor), "r"(e)

#define STC_RUN(instruction, operands, tail, nc, in)                                                        \
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                   \
  asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0; " instruction " " STC_D_##nc ", " operands "p" tail "}" \
               : STC_IO_##nc:in                                                                             \
               : "memory");                                                                                 \
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");

#define STC_KERNEL(name, nb, nc, ...)                                                                                 \
  extern "C" __global__ void name(const std::uint32_t* a_image, const std::uint32_t* b_image,                         \
                                  const std::uint32_t* c_image, const std::uint32_t* e_image, std::uint32_t* d_image, \
                                  int cases) {                                                                        \
    __shared__ Shared shared;                                                                                         \
    [[maybe_unused]] const std::uint64_t a_descriptor = descriptor(shared.a, 256);                                    \
    const std::uint64_t b_descriptor = descriptor(shared.b, 512);                                                     \
    for (int n = 4 * blockIdx.x; n < cases; n += 4 * gridDim.x) {                                                     \
      const std::int64_t slot = n * 32 + threadIdx.x;                                                                 \
      std::uint32_t a[4], b[nb], d[nc];                                                                               \
      load(a, a_image, slot);                                                                                         \
      load(b, b_image, n * 32 + threadIdx.x % 32);                                                                    \
      load(d, c_image, slot);                                                                                         \
      const std::uint32_t e = e_image[slot];                                                                          \
      __syncthreads();                                                                                                \
      store_operands(shared, a, b);                                                                                   \
      __VA_ARGS__                                                                                                     \
      for (int i = 0; i < nc; ++i) d_image[slot * nc + i] = d[i];                                                     \
    }                                                                                                                 \
  }

#define STC_PTX(head, shape, d, a, b, sat) head ".sync.aligned." #shape "." #d "." #a "." #b STC_WGMMA_SAT_##sat
#define STC_CAT2_(x, y) x##y
#define STC_CAT2(x, y) STC_CAT2_(x, y)

#define STC_DENSE(nb, nc, tail, shape, d_, a_, b_, sat)                                                              \
  STC_KERNEL(STC_CAT2(probe_rs_, STC_WGMMA_ID(shape, d_, a_, b_, sat)), nb, nc,                                      \
             STC_RUN(STC_PTX("wgmma.mma_async", shape, d_, a_, b_, sat), STC_REST_REG_##nc, STC_TAIL_REG_##tail, nc, \
                     STC_IN_REG))                                                                                    \
  STC_KERNEL(STC_CAT2(probe_ss_, STC_WGMMA_ID(shape, d_, a_, b_, sat)), nb, nc,                                      \
             STC_RUN(STC_PTX("wgmma.mma_async", shape, d_, a_, b_, sat), STC_REST_MEM_##nc, STC_TAIL_MEM_##tail, nc, \
                     STC_IN_MEM))
#define STC_WGMMA_SPARSE_ENTRY(nb, nc, tail, shape, d_, a_, b_, sat, sel)                                 \
  STC_KERNEL(STC_CAT2(probe_rs_, STC_WGMMA_SP_ID(shape, d_, a_, b_, sat, sel)), nb, nc,                   \
             STC_RUN(STC_PTX("wgmma.mma_async.sp", shape, d_, a_, b_, sat),                               \
                     STC_REST_REG_##nc STC_META_REG_##nc #sel ", ", STC_TAIL_REG_##tail, nc, STC_IN_REG)) \
  STC_KERNEL(STC_CAT2(probe_ss_, STC_WGMMA_SP_ID(shape, d_, a_, b_, sat, sel)), nb, nc,                   \
             STC_RUN(STC_PTX("wgmma.mma_async.sp", shape, d_, a_, b_, sat),                               \
                     STC_REST_MEM_##nc STC_META_MEM_##nc #sel ", ", STC_TAIL_MEM_##tail, nc, STC_IN_MEM))

STC_WGMMA_DENSE_OPS(STC_DENSE)
STC_WGMMA_SPARSE_OPS()

#endif
