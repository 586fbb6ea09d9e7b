// SPDX-License-Identifier: Apache-2.0
// Bulk and tensor copies (sm_90): one thread issues a copy, waits for its mbarrier and goes on to the next.
//   micro_bulk_block(Interval* out, const uint8_t* data, int iterations, int bytes)
//   micro_bulk_box_<1 to 3>d(Interval* out, uint8_t* data, int iterations, int b0, int b1, int b2, int swizzle)
//   micro_bulk_box_<4, 5>d(Interval* out, uint8_t* data, int iterations, int b0, .. int b4, int swizzle)
//   micro_bulk_first_box(Interval* out, uint8_t* data, int prefetch): two boxes of 64 x 8, the map prefetched 3000
//   cycles
//     before or not; cycles of the first one, and as operations those of the second
//   micro_bulk_store(Interval* out, uint8_t* data, int iterations, int bytes): up to four groups at a time
// Cycles of an interval are those from before each copy until the wait is over (of the stores: of all). Boxes are of
// f16, of a tensor of 512 x 4096 (1D: 2^20; 3D: 512 x 256 x 16; more: 512 x 16 x 16 x 16, x 2) that begins 4 KiB into
// `data`; the map is made in `data` itself.
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

namespace {

__device__ void init(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ void expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ int completed(std::uint32_t barrier, std::uint32_t parity) {
  int done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done;
}

struct Box {
  int coordinate[5];
};

#define STC_TENSOR(nd, at, ...)                                                                                      \
  asm volatile("cp.async.bulk.tensor." nd ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " at \
               "], [%2];" ::"r"(place),                                                                              \
               "l"(map), "r"(barrier), __VA_ARGS__                                                                   \
               : "memory");

template <int kDimensions>
__device__ void load(std::uint32_t place, const void* map, std::uint32_t barrier, const int* c) {
  if (kDimensions == 1) STC_TENSOR("1d", "{%3}", "r"(c[0]))
  if (kDimensions == 2) STC_TENSOR("2d", "{%3, %4}", "r"(c[0]), "r"(c[1]))
  if (kDimensions == 3) STC_TENSOR("3d", "{%3, %4, %5}", "r"(c[0]), "r"(c[1]), "r"(c[2]))
  if (kDimensions == 4) STC_TENSOR("4d", "{%3, %4, %5, %6}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
  if (kDimensions == 5) STC_TENSOR("5d", "{%3, %4, %5, %6, %7}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
}

__device__ std::uint8_t* aligned(std::uint8_t* shared) {
  return reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(shared) + 1023) & ~std::uintptr_t{1023});
}

/// Writes the map of a tensor of `dimensions` dimensions into `map`; returns the bytes of a box.
__device__ std::uint32_t make_map(std::uint8_t* data, int dimensions, const int* box, int swizzle) {
  std::uint32_t* map = reinterpret_cast<std::uint32_t*>(data);
  const std::uint32_t rows = dimensions == 3 ? 256 : dimensions > 3 ? 16 : 4096;
  const std::uint32_t sizes[5] = {dimensions == 1 ? 1u << 20 : 512u, rows, 16, 16, 2};
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(data) + 4096;
  for (int i = 0; i < 32; ++i) map[i] = 0;
  map[0] = static_cast<std::uint32_t>(address), map[1] = static_cast<std::uint32_t>(address >> 32);
  map[2] = (dimensions - 1) << 4 | 6 << 7 | swizzle << 13 | 2 << 17;
  std::uint32_t bytes = 2, boxes = 0, stride = 1024;
  for (int d = 0; d < dimensions; ++d) {
    map[8 + d] = sizes[d] - 1;
    bytes *= box[d];
    if (d != 0) boxes |= (box[d] - 1) << (8 * (d - 1)), map[2 + d] = stride >> 4, stride *= sizes[d];
  }
  map[13] = (box[0] - 1) << 24, map[14] = boxes;
  map[16] = bytes, map[18] = swizzle == 0 ? 0x10 : 0x80 << swizzle;
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  return bytes;
}

template <int kDimensions>
__device__ void boxes(Interval* out, std::uint8_t* data, int iterations, const int* box, int swizzle) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t word;
  if (threadIdx.x != 0) return;
  const std::uint32_t barrier = shared_address(&word), place = shared_address(aligned(memory));
  const std::uint32_t bytes = make_map(data, kDimensions, box, swizzle);
  init(barrier);
  long long total = 0;
  Box at = {};
  for (int i = 0; i < iterations + 2; ++i) {
    expect(barrier, bytes);
    const long long before = clock64();
    load<kDimensions>(place, data, barrier, at.coordinate);
    while (!completed(barrier, i & 1)) {
    }
    const long long after = clock64();
    if (i >= 2) total += after - before;
  }
  out[blockIdx.x] = {0, static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(iterations), sm_id()};
}

}  // namespace

extern "C" __global__ void micro_bulk_block(Interval* out, const std::uint8_t* data, int iterations, int bytes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t word;
  if (threadIdx.x != 0) return;
  const std::uint32_t barrier = shared_address(&word), place = shared_address(aligned(memory));
  init(barrier);
  long long total = 0;
  for (int i = 0; i < iterations + 2; ++i) {
    expect(barrier, bytes);
    const long long before = clock64();
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place),
                 "l"(data), "r"(bytes), "r"(barrier)
                 : "memory");
    while (!completed(barrier, i & 1)) {
    }
    const long long after = clock64();
    if (i >= 2) total += after - before;
  }
  out[blockIdx.x] = {0, static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(iterations), sm_id()};
}

extern "C" __global__ void micro_bulk_box_1d(Interval* out, std::uint8_t* data, int iterations, int b0, int b1, int b2,
                                             int swizzle) {
  const int box[3] = {b0, b1, b2};
  boxes<1>(out, data, iterations, box, swizzle);
}
extern "C" __global__ void micro_bulk_box_2d(Interval* out, std::uint8_t* data, int iterations, int b0, int b1, int b2,
                                             int swizzle) {
  const int box[3] = {b0, b1, b2};
  boxes<2>(out, data, iterations, box, swizzle);
}
extern "C" __global__ void micro_bulk_box_3d(Interval* out, std::uint8_t* data, int iterations, int b0, int b1, int b2,
                                             int swizzle) {
  const int box[3] = {b0, b1, b2};
  boxes<3>(out, data, iterations, box, swizzle);
}

extern "C" __global__ void micro_bulk_box_4d(Interval* out, std::uint8_t* data, int iterations, int b0, int b1, int b2,
                                             int b3, int b4, int swizzle) {
  const int box[5] = {b0, b1, b2, b3, b4};
  boxes<4>(out, data, iterations, box, swizzle);
}
extern "C" __global__ void micro_bulk_box_5d(Interval* out, std::uint8_t* data, int iterations, int b0, int b1, int b2,
                                             int b3, int b4, int swizzle) {
  const int box[5] = {b0, b1, b2, b3, b4};
  boxes<5>(out, data, iterations, box, swizzle);
}

extern "C" __global__ void micro_bulk_first_box(Interval* out, std::uint8_t* data, int prefetch) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t word;
  if (threadIdx.x != 0) return;
  const std::uint32_t barrier = shared_address(&word), place = shared_address(aligned(memory));
  const int box[2] = {64, 8};
  const std::uint32_t bytes = make_map(data, 2, box, 3);
  init(barrier);
  if (prefetch != 0) asm volatile("prefetch.tensormap [%0];" ::"l"(data) : "memory");
  for (const long long start = clock64(); clock64() - start < 3000;) {
  }
  long long cycles[2];
  const Box at = {};
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    expect(barrier, bytes);
    const long long before = clock64();
    load<2>(place, data, barrier, at.coordinate);
    while (!completed(barrier, i & 1)) {
    }
    cycles[i] = clock64() - before;
  }
  out[blockIdx.x] = {0, static_cast<std::uint64_t>(cycles[0]), static_cast<std::uint64_t>(cycles[1]), sm_id()};
}

extern "C" __global__ void micro_bulk_store(Interval* out, std::uint8_t* data, int iterations, int bytes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  if (threadIdx.x != 0) return;
  const std::uint32_t place = shared_address(aligned(memory));
  const std::uint64_t start = read_clock();
  for (int i = 0; i < iterations; ++i) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(
                     data + static_cast<std::size_t>(blockIdx.x) * 131072 +
                     static_cast<std::size_t>(i % (131072 / bytes)) * bytes),
                 "r"(place + (i & 3) * bytes), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.wait_group.read 3;" ::: "memory");
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  out[blockIdx.x] = {start, read_clock(), static_cast<std::uint64_t>(iterations), sm_id()};
}

#endif
