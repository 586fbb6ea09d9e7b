// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of warpgroups (sm_90a): a chain of them on one accumulator, behind one wait.
//   micro_wgmma_<dense|sp>_<columns>_<memory|registers>(Interval* out, int iterations)
// Blocks of whole warpgroups; operands are zeros, A and B of all instructions are the same, 128-byte lines.
#include "micro_wgmma.cuh"

#if __CUDA_ARCH_FEAT_SM90_ALL

#define STC_CHAIN(name, ptx, n, rest, end)                                                      \
  extern "C" __global__ void __launch_bounds__(256) name(Interval* out, int iterations) {       \
    extern __shared__ __align__(1024) std::uint32_t operands[];                                 \
    for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x) operands[i] = 0;            \
    asm volatile("fence.proxy.async;" ::: "memory");                                            \
    const std::uint64_t a = operand(shared_address(operands));                                  \
    const std::uint64_t b = operand(shared_address(operands) + kPlaceOfB);                      \
    const std::uint32_t zero = iterations < 0 ? 1 : 0, metadata = 0x44444444u + zero;           \
    float d[n];                                                                                 \
    for (int i = 0; i < n; ++i) d[i] = 0;                                                       \
    __syncthreads();                                                                            \
    const std::uint64_t start = read_clock();                                                   \
    STC_REPEAT(ptx, n, rest, end)                                                               \
    const std::uint64_t stop = read_clock();                                                    \
    float sum = 0;                                                                              \
    for (int i = 0; i < n; ++i) sum += d[i];                                                    \
    report(out, start, stop, static_cast<std::uint64_t>(iterations) * 4, __float_as_uint(sum)); \
  }

#define STC_COLUMNS(columns, n)                                                                                      \
  STC_CHAIN(micro_wgmma_dense_##columns##_memory, "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16", n, \
            STC_MEMORY_##n, STC_END_MEMORY)                                                                          \
  STC_CHAIN(micro_wgmma_dense_##columns##_registers, "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16", \
            n, STC_REGISTERS_##n, STC_END_REGISTERS)                                                                 \
  STC_CHAIN(micro_wgmma_sp_##columns##_memory, "wgmma.mma_async.sp.sync.aligned.m64n" #columns "k32.f32.f16.f16", n, \
            STC_MEMORY_##n STC_MEMORY_META_##n, STC_END_MEMORY)                                                      \
  STC_CHAIN(micro_wgmma_sp_##columns##_registers, "wgmma.mma_async.sp.sync.aligned.m64n" #columns "k32.f32.f16.f16", \
            n, STC_REGISTERS_##n STC_REGISTERS_META_##n, STC_END_REGISTERS)

STC_COLUMNS(8, 4)
STC_COLUMNS(32, 16)
STC_COLUMNS(64, 32)
STC_COLUMNS(128, 64)
STC_COLUMNS(256, 128)

#endif
