// SPDX-License-Identifier: Apache-2.0
// Bulk copies that do not come alone (sm_90): several issued one behind the other, copies to all CTAs of a cluster, and
// ways from a CTA of a cluster to another and back.
//   micro_bulk_at_once_<bytes>(Interval* out, const uint8_t* data, int passes): 16 copies; clocks from before the first
//   one
//     until the last one is issued; as operations, those until the last one has come
//   micro_bulk_told_<CTAs>(Interval* out, const uint8_t* data, int passes, int bytes): CTA 0 of a cluster copies to
//   all;
//     clocks from when it is there in CTA 0 until all CTAs have told CTA 0 so; as operations, those until it is there
//   micro_way_<arrive, store, copy>(Interval* out, int passes, int other, int bytes): an arrival, st.async of 4 bytes
//   or
//     a block goes from CTA 0 of a cluster of four to CTA `other` and back
//   micro_bulk_shared(Interval* out, const uint8_t* data, int passes): both CTAs of a cluster copy 16 KiB to both, four
//     times; clocks until a warp of its own has seen the first 32 KiB complete; as operations, all
// The last pass counts, of ways all of them.
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

namespace {

constexpr int kCopies = 16;

__device__ void init(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ void expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(std::uint32_t barrier, std::uint32_t parity) {
  for (int done = 0; done == 0;) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  }
}
/// Whether this thread is the one of its warp: the compiler then knows that copies are asked for by one alone.
__device__ bool elected() {
  int one;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p;}" : "=r"(one));
  return one != 0;
}
__device__ unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ std::uint32_t mapped(std::uint32_t address, unsigned rank) {
  std::uint32_t remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}
__device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void arrive_at(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

template <int kBytes>
__device__ void at_once(Interval* out, const std::uint8_t* data, int passes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t words[kCopies];
  if (!elected()) return;
  const std::uint32_t barriers = shared_address(words), place = shared_address(memory);
  for (int i = 0; i < kCopies; ++i) init(barriers + 8 * i, 1);
  std::uint64_t issued = 0, landed = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) expect(barriers + 8 * i, kBytes);
    const std::uint64_t start = read_clock();
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       place + i * kBytes),
                   "l"(data + i * kBytes), "r"(kBytes), "r"(barriers + 8 * i)
                   : "memory");
    }
    issued = read_clock() - start;
#pragma unroll
    for (int i = 0; i < kCopies; ++i) wait(barriers + 8 * i, pass & 1);
    landed = read_clock() - start;
  }
  out[blockIdx.x] = {0, issued, landed, sm_id()};
}

template <int kCtas>
__device__ void multicast(Interval* out, const std::uint8_t* data, int passes, int bytes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t words[2];
  const std::uint32_t here = shared_address(words), told = here + 8, place = shared_address(memory);
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) init(here, 1), init(told, kCtas);
  sync_cluster();
  const std::uint32_t first = mapped(told, 0);
  std::uint64_t landed = 0, all = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    if (threadIdx.x == 0) expect(here, bytes);
    sync_cluster();
    if (threadIdx.x != 0) continue;
    const std::uint64_t start = read_clock();
    if (rank == 0) {
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
          "%4;" ::"r"(place),
          "l"(data), "r"(bytes), "r"(here), "h"(static_cast<std::uint16_t>((1u << kCtas) - 1))
          : "memory");
    }
    wait(here, pass & 1);
    landed = read_clock() - start;
    arrive_at(first);
    if (rank == 0) wait(told, pass & 1);
    all = read_clock() - start;
  }
  if (threadIdx.x == 0 && rank == 0) out[0] = {landed, all, landed, sm_id()};
  sync_cluster();
}

constexpr int kStages = 4, kStageBytes = 16384;

__device__ void copy_to_both(Interval* out, const std::uint8_t* data, int passes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t words[kStages];
  const std::uint32_t barriers = shared_address(words), place = shared_address(memory);
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) init(barriers + 8 * i, 1);
  }
  std::uint64_t first = 0, all = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    sync_cluster();
    const std::uint64_t start = read_clock();
    if (threadIdx.x == 0) {
#pragma unroll
      for (int i = 0; i < kStages; ++i) {
        expect(barriers + 8 * i, 2 * kStageBytes);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
            "[%3], "
            "%4;" ::"r"(place + (2 * i + rank) * kStageBytes),
            "l"(data + (2 * i + rank) * kStageBytes), "r"(kStageBytes), "r"(barriers + 8 * i), "h"(std::uint16_t{3})
            : "memory");
      }
    }
    if (threadIdx.x >= 32) {
      wait(barriers, pass & 1);
      first = read_clock() - start;
      for (int i = 1; i < kStages; ++i) wait(barriers + 8 * i, pass & 1);
      all = read_clock() - start;
    }
    __syncthreads();
  }
  if (threadIdx.x == 32) out[blockIdx.x] = {0, first, all, sm_id()};
  sync_cluster();
}

enum class Way { kArrive, kStore, kCopy };

template <Way kWay>
__device__ void go(std::uint32_t barrier, std::uint32_t place, std::uint32_t from, int bytes) {
  if (kWay == Way::kArrive) arrive_at(barrier);
  if (kWay == Way::kStore) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(place), "r"(bytes),
                 "r"(barrier)
                 : "memory");
  }
  if (kWay == Way::kCopy) {
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place),
        "r"(from), "r"(bytes), "r"(barrier)
        : "memory");
  }
}

template <Way kWay>
__device__ void ways(Interval* out, int passes, unsigned other, int bytes) {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  __shared__ __align__(8) std::uint64_t word;
  const std::uint32_t own = shared_address(&word), place = shared_address(memory);
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) init(own, 1);
  sync_cluster();
  const unsigned partner = rank == 0 ? other : 0;
  const std::uint32_t there = mapped(own, partner), there_place = mapped(place, partner);
  const std::uint64_t start = read_clock();
  if (threadIdx.x == 0 && (rank == 0 || rank == other)) {
#pragma unroll 1
    for (int i = 0; i < passes; ++i) {
      if (kWay != Way::kArrive) expect(own, bytes);
      if (rank == 0) go<kWay>(there, there_place, place, bytes);
      wait(own, i & 1);
      if (rank != 0) go<kWay>(there, there_place, place, bytes);
    }
  }
  if (rank == 0) report(out, start, read_clock(), static_cast<std::uint64_t>(passes), 0);
  sync_cluster();
}

}  // namespace

#define STC_AT_ONCE(bytes)                                                                                     \
  extern "C" __global__ void micro_bulk_at_once_##bytes(Interval* out, const std::uint8_t* data, int passes) { \
    at_once<bytes>(out, data, passes);                                                                         \
  }
STC_AT_ONCE(128)
STC_AT_ONCE(1024)
STC_AT_ONCE(2048)
STC_AT_ONCE(4096)
STC_AT_ONCE(8192)

#define STC_MULTICAST(ctas)                                                                    \
  extern "C" __global__ void __cluster_dims__(ctas)                                            \
      micro_bulk_told_##ctas(Interval* out, const std::uint8_t* data, int passes, int bytes) { \
    multicast<ctas>(out, data, passes, bytes);                                                 \
  }
STC_MULTICAST(1)
STC_MULTICAST(2)
STC_MULTICAST(4)
STC_MULTICAST(8)

extern "C" __global__ void __cluster_dims__(2) micro_bulk_shared(Interval* out, const std::uint8_t* data, int passes) {
  copy_to_both(out, data, passes);
}

#define STC_WAY(name, way)                                                                                           \
  extern "C" __global__ void __cluster_dims__(4) micro_way_##name(Interval* out, int passes, int other, int bytes) { \
    ways<way>(out, passes, static_cast<unsigned>(other), bytes);                                                     \
  }
STC_WAY(arrive, Way::kArrive)
STC_WAY(store, Way::kStore)
STC_WAY(copy, Way::kCopy)

#endif
