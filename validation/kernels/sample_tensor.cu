// SPDX-License-Identifier: Apache-2.0
// Tensor and bulk copies in a program's loop (sm_90): boxes of a matrix come to shared memory, are counted up by one
// and go back to their place; rows of another buffer are copied behind each other.
#include <cstdint>

#if __CUDA_ARCH__ >= 900

struct alignas(64) Map {
  std::uint64_t words[16];
};

namespace {

__device__ std::uint32_t place_of(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile("{.reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again;}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

}  // namespace

/// Boxes of 64 x 8 elements of 16 bits; `boxes` of them side by side in a row of boxes, as many rows as fit the grid.
extern "C" __global__ void tensor_counts(const __grid_constant__ Map map, const std::uint8_t* from, std::uint8_t* to,
                                         int boxes) {
  __shared__ __align__(1024) std::uint16_t box[64 * 8];
  __shared__ __align__(128) std::uint8_t row[512];
  __shared__ __align__(8) std::uint64_t word;
  const std::uint32_t barrier = place_of(&word), place = place_of(box), line = place_of(row);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  const int y = 8 * blockIdx.x;
  for (int i = 0; i < boxes; ++i) {
    const int x = 64 * i;
    const std::size_t at = (static_cast<std::size_t>(blockIdx.x) * boxes + i) * 512;
    if (threadIdx.x == 0) {
      expect(barrier, sizeof box + sizeof row);
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
          "[%4];" ::"r"(place),
          "l"(&map), "r"(x), "r"(y), "r"(barrier)
          : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(line),
          "l"(from + at), "r"(barrier)
          : "memory");
    }
    wait(barrier, i & 1);
    for (int k = threadIdx.x; k < 64 * 8; k += blockDim.x) ++box[k];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                   "r"(x), "r"(y), "r"(place)
                   : "memory");
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(to + at), "r"(line) : "memory");
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
  }
}

#endif
