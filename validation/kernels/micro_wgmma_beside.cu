// SPDX-License-Identifier: Apache-2.0
// Shared memory beside matrix instructions of a warpgroup (sm_90a): a chain as in micro_wgmma.cu, and what the first
// `warps` of four other warps get through in `cycles`.
//   micro_wgmma_beside_<dense|sp>_<columns>_<memory|registers>(Interval* out, int iterations, int kind, int warps, int
//   cycles)
// kind 0: nothing, 1: 128-bit loads, 2: 32-bit loads, 3: ldmatrix.x4, 4: 128-bit stores, 5: 32-bit stores; no two lanes
// in one bank. Operations of the first four warps are instructions, of the others accesses.
#include "micro_wgmma.cuh"

#if __CUDA_ARCH_FEAT_SM90_ALL

namespace {

constexpr unsigned kPlaceOfOthers = 98304, kAll = 131072;

template <class Access>
__device__ void repeat(Interval* out, std::uint32_t cycles, Access access) {
  const std::uint64_t start = read_clock();
  std::uint64_t stop = start;
  std::uint32_t count = 0, sum = 0;
  do {
    sum += access(count);
    count += 8;
    stop = read_clock();
  } while (stop - start < cycles);
  report(out, start, stop, count, sum);
}

__device__ void others(Interval* out, int kind, int warps, int cycles, std::uint32_t memory) {
  const unsigned warp = threadIdx.x / 32 - 4, lane = threadIdx.x % 32;
  const std::uint32_t wide = memory + kPlaceOfOthers + warp * 512 + lane * 16;
  const std::uint32_t narrow = memory + kPlaceOfOthers + warp * 128 + lane * 4;
  if (static_cast<int>(warp) >= warps) return;
  if (kind == 1)
    repeat(out, cycles, [&](std::uint32_t) {
      std::uint32_t x[8][4], sum = 0;
      _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" :
                                                                 "=r"(x[k][0]), "=r"(x[k][1]), "=r"(x[k][2]),
                                                                 "=r"(x[k][3]) : "r"(wide + k * 2048) : "memory");
      _Pragma("unroll") for (int k = 0; k < 8; ++k) sum += x[k][0] ^ x[k][1] ^ x[k][2] ^ x[k][3];
      return sum;
    });
  if (kind == 2)
    repeat(out, cycles, [&](std::uint32_t) {
      std::uint32_t x[8], sum = 0;
      _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x[k]) :
                                                                 "r"(narrow + k * 512) : "memory");
      _Pragma("unroll") for (int k = 0; k < 8; ++k) sum += x[k];
      return sum;
    });
  if (kind == 3)
    repeat(out, cycles, [&](std::uint32_t count) {
      std::uint32_t x[8][4], sum = 0;
      const std::uint32_t place = wide ^ (count & 8) << 11;
      _Pragma("unroll") for (int k = 0; k < 8; ++k) load_matrices(x[k], place + k * 2048);
      _Pragma("unroll") for (int k = 0; k < 8; ++k) sum += x[k][0] ^ x[k][1] ^ x[k][2] ^ x[k][3];
      return sum;
    });
  if (kind == 4)
    repeat(out, cycles, [&](std::uint32_t count) {
      _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile(
          "st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(wide + k * 2048), "r"(count) : "memory");
      return 0u;
    });
  if (kind == 5)
    repeat(out, cycles, [&](std::uint32_t count) {
      _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile(
          "st.volatile.shared.u32 [%0], %1;" ::"r"(narrow + k * 512), "r"(count) : "memory");
      return 0u;
    });
}

}  // namespace

#define STC_BESIDE(name, ptx, n, rest, end)                                                     \
  extern "C" __global__ void __launch_bounds__(256)                                             \
      name(Interval* out, int iterations, int kind, int warps, int cycles) {                    \
    extern __shared__ __align__(1024) std::uint32_t operands[];                                 \
    for (unsigned i = threadIdx.x; i < kAll / 4; i += blockDim.x) operands[i] = 0;              \
    asm volatile("fence.proxy.async;" ::: "memory");                                            \
    __syncthreads();                                                                            \
    if (threadIdx.x >= 128) {                                                                   \
      others(out, kind, warps, cycles, shared_address(operands));                               \
      return;                                                                                   \
    }                                                                                           \
    const std::uint64_t a = operand(shared_address(operands));                                  \
    const std::uint64_t b = operand(shared_address(operands) + kPlaceOfB);                      \
    const std::uint32_t zero = iterations < 0 ? 1 : 0, metadata = 0x44444444u + zero;           \
    float d[n];                                                                                 \
    for (int i = 0; i < n; ++i) d[i] = 0;                                                       \
    const std::uint64_t start = read_clock();                                                   \
    STC_REPEAT(ptx, n, rest, end)                                                               \
    const std::uint64_t stop = read_clock();                                                    \
    float sum = 0;                                                                              \
    for (int i = 0; i < n; ++i) sum += d[i];                                                    \
    report(out, start, stop, static_cast<std::uint64_t>(iterations) * 4, __float_as_uint(sum)); \
  }

#define STC_COLUMNS(columns, n)                                                                                        \
  STC_BESIDE(micro_wgmma_beside_dense_##columns##_memory,                                                              \
             "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16", n, STC_MEMORY_##n, STC_END_MEMORY)        \
  STC_BESIDE(micro_wgmma_beside_dense_##columns##_registers,                                                           \
             "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16", n, STC_REGISTERS_##n, STC_END_REGISTERS)  \
  STC_BESIDE(micro_wgmma_beside_sp_##columns##_memory,                                                                 \
             "wgmma.mma_async.sp.sync.aligned.m64n" #columns "k32.f32.f16.f16", n, STC_MEMORY_##n STC_MEMORY_META_##n, \
             STC_END_MEMORY)                                                                                           \
  STC_BESIDE(micro_wgmma_beside_sp_##columns##_registers,                                                              \
             "wgmma.mma_async.sp.sync.aligned.m64n" #columns "k32.f32.f16.f16", n,                                     \
             STC_REGISTERS_##n STC_REGISTERS_META_##n, STC_END_REGISTERS)

STC_COLUMNS(64, 32)
STC_COLUMNS(128, 64)
STC_COLUMNS(256, 128)

#endif
