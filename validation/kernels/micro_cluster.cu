// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters (sm_90): barriers of a cluster, and what reaching the shared memory of its other CTAs costs.
//   micro_cluster_<what>_<CTAs per cluster>(Interval* out, int iterations, ...)
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
/// Where the CTA of `rank` keeps what is at `address` here.
__device__ __forceinline__ std::uint32_t mapped(std::uint32_t address, unsigned rank) {
  std::uint32_t remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}
template <bool kReleases>
__device__ __forceinline__ void sync_cluster() {
  if (kReleases) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  } else {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  }
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <bool kReleases>
__device__ __forceinline__ void barriers(Interval* out, int iterations) {
  sync_cluster<kReleases>();
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) sync_cluster<kReleases>();
  report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), 0);
}

constexpr int kWords = 8192;
__device__ __forceinline__ std::uint32_t cleared_words() {
  __shared__ alignas(128) std::uint32_t words[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = 0;
  __syncthreads();
  return shared_address(words);
}

/// One thread of CTA `from` follows pointers in the shared memory of CTA `to`.
__device__ __forceinline__ void chase(Interval* out, int iterations, unsigned from, unsigned to) {
  const std::uint32_t own = cleared_words();
  constexpr int kSteps = 64;
  for (int i = threadIdx.x; i < kSteps; i += blockDim.x) {
    const std::uint32_t next = mapped(own + 36 * ((i + 1) % kSteps), cluster_rank());
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(own + 36 * i), "r"(next) : "memory");
  }
  sync_cluster<true>();
  if (cluster_rank() == from) {
    std::uint32_t at = mapped(own, to);
    for (int i = 0; i < kSteps; ++i) asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at)::"memory");
    const std::uint64_t start = read_clock();
#pragma unroll 16
    for (int i = 0; i < iterations; ++i) asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at)::"memory");
    if (threadIdx.x == 0 && at != 0) report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), at);
  }
  sync_cluster<true>();
}

template <int kBytes>
__device__ __forceinline__ std::uint32_t load(std::uint32_t at) {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (kBytes == 4) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");
  if (kBytes == 8) asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");
  if (kBytes == 16)
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
  return a ^ b ^ c ^ d;
}
template <int kBytes>
__device__ __forceinline__ void store(std::uint32_t at, std::uint32_t value) {
  if (kBytes == 4) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
  if (kBytes == 8) asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %1};" ::"r"(at), "r"(value) : "memory");
  if (kBytes == 16) asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(value) : "memory");
}
__device__ __forceinline__ std::uint32_t add(std::uint32_t at, std::uint32_t value) {
  std::uint32_t old;
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(at), "r"(value) : "memory");
  return old;
}

enum class Access { kLoad, kStore, kReduce, kAtomic };

/// The first `active` CTAs reach the next one's memory; -active of them, after the first, that of the first. Lanes are
/// `stride` bytes apart, warps use rows of their own. Eight accesses of a warp are on their way together; of atomics
/// that return a value, one.
template <Access kAccess, int kBytes, unsigned kCtas>
__device__ __forceinline__ void accesses(Interval* out, int iterations, int active, unsigned stride) {
  const std::uint32_t own = cleared_words();
  const unsigned rank = cluster_rank(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint32_t first = mapped(own, active < 0 ? 0 : (rank + 1) % kCtas) + (lane * stride + warp * 128) % 4096;
  sync_cluster<true>();
  const int place = static_cast<int>(rank);
  if (active < 0 ? place >= 1 && place <= -active : place < active) {
    std::uint32_t keep = load<kBytes>(first);
    const std::uint64_t start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      const std::uint32_t at = first + (i & 3) * 8192;  // other words in every round, or loads would leave the loop
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        if (kAccess == Access::kLoad) keep ^= load<kBytes>(at + 512 * k);
        if (kAccess == Access::kStore) store<kBytes>(at + 512 * k, lane);
        if (kAccess == Access::kReduce)
          asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(lane) : "memory");
        if (kAccess == Access::kAtomic) keep = add(at, keep);
      }
    }
    // What was sent has arrived when a load behind it returns.
    if (kAccess == Access::kStore || kAccess == Access::kReduce) keep = load<kBytes>(first);
    if (keep == 0x9E3779B9u) store<4>(first, keep);
    report(out, start, read_clock(), static_cast<std::uint64_t>(iterations) * 8, keep);
  }
  sync_cluster<true>();
}

template <bool kReleases>
__device__ __forceinline__ void arrive_at(std::uint32_t barrier) {
  if (kReleases) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
  } else {
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
}

/// CTAs 0 and 1 arrive in turn at an mbarrier of the other; an operation is there and back.
template <bool kReleases>
__device__ __forceinline__ void arrivals(Interval* out, int iterations) {
  __shared__ alignas(8) std::uint64_t word;
  const std::uint32_t own = shared_address(&word);
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(own) : "memory");
  sync_cluster<true>();
  const std::uint32_t other = mapped(own, rank ^ 1);
  const std::uint64_t start = read_clock();
  if (threadIdx.x == 0 && rank < 2) {
    for (int i = 0; i < iterations; ++i) {
      if (rank == 0) arrive_at<kReleases>(other);
      for (int over = 0; over == 0;) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(own), "r"(i & 1)
                     : "memory");
      }
      if (rank == 1) arrive_at<kReleases>(other);
    }
  }
  if (rank == 0) report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), 0);
  sync_cluster<true>();
}

#define KERNEL(what, ctas) extern "C" __global__ void __cluster_dims__(ctas) micro_cluster_##what##_##ctas

#define KERNELS(ctas)                                                                                         \
  KERNEL(barrier, ctas)(Interval * out, int iterations) { barriers<false>(out, iterations); }                 \
  KERNEL(sync, ctas)(Interval * out, int iterations) { barriers<true>(out, iterations); }                     \
  KERNEL(chase, ctas)(Interval * out, int iterations, int from, int to) { chase(out, iterations, from, to); } \
  KERNEL(load_32, ctas)(Interval * out, int iterations, int active, int stride) {                             \
    accesses<Access::kLoad, 4, ctas>(out, iterations, active, stride);                                        \
  }                                                                                                           \
  KERNEL(load_64, ctas)(Interval * out, int iterations, int active, int stride) {                             \
    accesses<Access::kLoad, 8, ctas>(out, iterations, active, stride);                                        \
  }                                                                                                           \
  KERNEL(load_128, ctas)(Interval * out, int iterations, int active, int stride) {                            \
    accesses<Access::kLoad, 16, ctas>(out, iterations, active, stride);                                       \
  }                                                                                                           \
  KERNEL(store_32, ctas)(Interval * out, int iterations, int active, int stride) {                            \
    accesses<Access::kStore, 4, ctas>(out, iterations, active, stride);                                       \
  }                                                                                                           \
  KERNEL(store_64, ctas)(Interval * out, int iterations, int active, int stride) {                            \
    accesses<Access::kStore, 8, ctas>(out, iterations, active, stride);                                       \
  }                                                                                                           \
  KERNEL(store_128, ctas)(Interval * out, int iterations, int active, int stride) {                           \
    accesses<Access::kStore, 16, ctas>(out, iterations, active, stride);                                      \
  }                                                                                                           \
  KERNEL(reduce, ctas)(Interval * out, int iterations, int active, int stride) {                              \
    accesses<Access::kReduce, 4, ctas>(out, iterations, active, stride);                                      \
  }                                                                                                           \
  KERNEL(atomic, ctas)(Interval * out, int iterations, int active, int stride) {                              \
    accesses<Access::kAtomic, 4, ctas>(out, iterations, active, stride);                                      \
  }

KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)

#define BARRIERS(ctas)                                                                        \
  KERNEL(barrier, ctas)(Interval * out, int iterations) { barriers<false>(out, iterations); } \
  KERNEL(ctas, ctas)(std::uint32_t * samples, int spin) { stay(samples, spin); }
BARRIERS(3)
BARRIERS(5)
BARRIERS(6)
BARRIERS(7)

/// What barriers with release have before them, alone.
template <int kScope>
__device__ __forceinline__ void fences(Interval* out, int iterations) {
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    if (kScope == 0) asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (kScope == 1) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (kScope == 2) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (kScope == 3) asm volatile("fence.sc.gpu;" ::: "memory");
  }
  report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), 0);
}
extern "C" __global__ void micro_fence_cta(Interval* out, int iterations) { fences<0>(out, iterations); }
extern "C" __global__ void micro_fence_cluster(Interval* out, int iterations) { fences<1>(out, iterations); }
extern "C" __global__ void micro_fence_gpu(Interval* out, int iterations) { fences<2>(out, iterations); }
extern "C" __global__ void micro_fence_sc(Interval* out, int iterations) { fences<3>(out, iterations); }

KERNEL(arrive_release, 2)(Interval* out, int iterations) { arrivals<true>(out, iterations); }
KERNEL(arrive_relaxed, 2)(Interval* out, int iterations) { arrivals<false>(out, iterations); }

KERNEL(ctas, 2)(std::uint32_t* samples, int spin) { stay(samples, spin); }
KERNEL(ctas, 4)(std::uint32_t* samples, int spin) { stay(samples, spin); }
KERNEL(ctas, 8)(std::uint32_t* samples, int spin) { stay(samples, spin); }

#endif
