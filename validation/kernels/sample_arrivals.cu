// SPDX-License-Identifier: Apache-2.0
// Arrivals at mbarriers that are wrong when they are made, long after their instruction (sm_90, clusters of two CTAs).
#include <cooperative_groups.h>

#include <cstdint>

#if __CUDA_ARCH__ >= 900

namespace cg = cooperative_groups;

extern "C" __global__ void late_arrivals(std::uint32_t* out, const std::uint32_t* in, int which) {
  __shared__ alignas(128) std::uint32_t words[2048];
  __shared__ volatile std::uint32_t told;
  __shared__ alignas(8) std::uint64_t word;
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank();
  const auto barrier = static_cast<std::uint32_t>(__cvta_generic_to_shared(&word));
  const auto data = static_cast<std::uint32_t>(__cvta_generic_to_shared(words));
  std::uint32_t of_other, data_of_other, told_other;
  told = 0;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(of_other) : "r"(barrier));
  asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(data_of_other) : "r"(data));
  asm volatile("mapa.shared::cluster.u32 %0, %1, 1;"
               : "=r"(told_other)
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(const_cast<std::uint32_t*>(&told)))));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
  cluster.sync();
  const bool asks = rank == 0 && threadIdx.x == 32;
  if (which == 0 && asks) {
    for (int i = 0; i < 2; ++i)
      asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 16;" ::"r"(of_other)
                   : "memory");
  }
  // CTA 1 is still there when the copy sets out, and no more when it has arrived.
  if (which == 1 && asks) {
    asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(told_other) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 8192, [%2];" ::"r"(
                     data_of_other),
                 "r"(data), "r"(of_other)
                 : "memory");
  }
  if (which == 1 && rank == 1) {
    while (told == 0) {
    }
    return;
  }
  // More bytes than a barrier counts: what is missing of 2^20 - 1 comes later.
  const std::uint32_t counts = which == 3 || which == 5 ? of_other : barrier;
  if (which >= 2 && which <= 5 && asks)
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 1048575;" ::"r"(counts) : "memory");
  if (which == 2 && asks)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(data),
                 "l"(in), "r"(barrier)
                 : "memory");
  if (which == 3 && asks)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(
                     data_of_other),
                 "r"(data), "r"(of_other)
                 : "memory");
  if (which == 4 && asks)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 64, [%2], "
        "%3;" ::"r"(data),
        "l"(in), "r"(barrier), "h"(std::uint16_t{3})
        : "memory");
  if (which == 5 && asks)
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(data_of_other),
                 "r"(7), "r"(of_other)
                 : "memory");
  if (which == 6 && rank == 0 && threadIdx.x >= 32) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(data + 4 * threadIdx.x), "l"(in + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
  }
  for (const long long start = clock64(); clock64() - start < 20000;) {
  }
  if (which != 1) cluster.sync();
  if (threadIdx.x == 0) out[rank] = words[0];
}

#endif
