// SPDX-License-Identifier: Apache-2.0
// A warp that has waited for its warpgroup's product writes over the operands at once: no other warp of the warpgroup
// still reads them. Of sm_90a.
#include <cstdint>

#if __CUDA_ARCH_FEAT_SM90_ALL

namespace {

constexpr unsigned kA = 64 * 16 / 2, kB = 8 * 16 / 2;  // words of f16

/// Of matrices of 8 lines of 16 bytes without swizzle: 128 bytes to the next along K, 256 to the next eight lines.
__device__ std::uint64_t operand(const void* shared) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  return (address & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
}

}  // namespace

/// Four times D[64][8] += A[64][16] B[16][8] by one warpgroup; A and B are the halves of `in`, their bits 0, 1, 2 and 3
/// more. out: four floats a thread.
extern "C" __global__ void __launch_bounds__(128) warpgroup_overwrites(const std::uint32_t* in, float* out) {
  __shared__ __align__(128) std::uint32_t operands[kA + kB];
  float d[4] = {};
  for (std::uint32_t round = 0; round < 4; ++round) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kA + kB; i += 128) operands[i] = in[i] + round * 0x10001u;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(operand(operands)), "l"(operand(operands + kA)));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (unsigned i = threadIdx.x % 32; i < kA + kB; i += 32) operands[i] = 0x3c003c00u;
  }
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}

#endif
