// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters (sm_90): ranks, barriers, every form of access to the shared memory of other CTAs.
#include <cooperative_groups.h>

#include <cstdint>

#if __CUDA_ARCH__ >= 900

namespace cg = cooperative_groups;

__device__ std::uint32_t special(int which) {
  std::uint32_t value = 0;
  switch (which) {
    case 0: asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(value)); break;
    case 1: asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(value)); break;
    case 2: asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(value)); break;
    case 3: asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(value)); break;
    case 4: asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(value)); break;
    case 5: asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(value)); break;
    case 6: asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(value)); break;
    case 7: asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(value)); break;
    case 8: asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(value)); break;
    case 9: asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(value)); break;
    case 10: asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(value)); break;
    case 11: asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(value)); break;
    case 12:
      asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(value));
      break;
    default: asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  }
  return value;
}

__device__ std::uint32_t cta_index() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__device__ std::uint32_t mapped(const void* mine, std::uint32_t rank) {
  std::uint32_t other;
  const auto own = static_cast<std::uint32_t>(__cvta_generic_to_shared(mine));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(rank));
  return other;
}

/// 16 words a CTA: what special registers and cooperative groups say.
extern "C" __global__ void cluster_ranks(std::uint32_t* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 14; ++i) out[16 * cta_index() + i] = special(i);
  out[16 * cta_index() + 14] = cluster.num_threads();
  out[16 * cta_index() + 15] = cluster.thread_rank();
}

/// 64 words a CTA, of loads of every width from the next one; `dynamic` words that the launch gives come after them.
extern "C" __global__ void cluster_loads(std::uint32_t* out) {
  __shared__ alignas(16) std::uint32_t words[64];
  extern __shared__ std::uint32_t dynamic[];
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank(), i = threadIdx.x;
  words[i] = 0x81828384u + 0x01010101u * i + 0x10000000u * rank;
  dynamic[i] = 1000 * rank + i;
  cluster.sync();
  const std::uint32_t next = (rank + 1) % cluster.num_blocks(), at = mapped(words, next);
  std::uint32_t v[4] = {0, 0, 0, 0};
  switch (i / 8) {
    case 0: asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=r"(v[0]) : "r"(at + i)); break;
    case 1: asm volatile("ld.shared::cluster.s8 %0, [%1];" : "=r"(v[0]) : "r"(at + i)); break;
    case 2: asm volatile("ld.shared::cluster.u16 %0, [%1];" : "=r"(v[0]) : "r"(at + 2 * i)); break;
    case 3: asm volatile("ld.shared::cluster.s16 %0, [%1];" : "=r"(v[0]) : "r"(at + 2 * i)); break;
    case 4: asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v[0]) : "r"(at + 4 * i)); break;
    case 5:
      asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at + 8 * (i % 32)));
      break;
    case 6:
      asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(at + 16 * (i % 16)));
      break;
    default:
      v[0] = cluster.map_shared_rank(dynamic, next)[i] +
             7 * cluster.query_shared_rank(cluster.map_shared_rank(dynamic, next));
  }
  out[64 * cta_index() + i] = v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3];
  cluster.sync();
}

/// 64 words a CTA, written by the one before it with stores of every width.
extern "C" __global__ void cluster_stores(std::uint32_t* out) {
  __shared__ alignas(16) std::uint32_t words[64];
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank(), i = threadIdx.x;
  words[i] = 0;
  cluster.sync();
  const std::uint32_t at = mapped(words, (rank + 1) % cluster.num_blocks()),
                      value = 0xa0b0c0d0u + 0x01020304u * i + rank;
  if (i < 16) asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(at + i), "r"(value) : "memory");
  if (i >= 16 && i < 24) asm volatile("st.shared::cluster.u16 [%0], %1;" ::"r"(at + 2 * i), "r"(value) : "memory");
  if (i >= 24 && i < 32) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at + 4 * i), "r"(value) : "memory");
  if (i >= 32 && i < 40)
    asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %2};" ::"r"(at + 128 + 8 * (i - 32)), "r"(value), "r"(~value)
                 : "memory");
  if (i >= 40 && i < 44)
    asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %1, %2};" ::"r"(at + 192 + 16 * (i - 40)), "r"(value),
                 "r"(~value)
                 : "memory");
  cluster.sync();
  out[64 * cta_index() + i] = words[i];
}

/// All threads of the cluster work on words of CTA `to`, which writes them out: 32 words and 8 of what was returned.
extern "C" __global__ void cluster_atomics(std::uint32_t* out, std::uint32_t to) {
  __shared__ alignas(16) std::uint32_t words[32];
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t t = cluster.thread_rank();
  if (threadIdx.x < 32) words[threadIdx.x] = threadIdx.x == 7 ? ~0u : 0;
  cluster.sync();
  const std::uint32_t at = mapped(words, to);
  std::uint32_t* const there = cluster.map_shared_rank(words, to);
  std::uint32_t old;
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(t) : "memory");
  asm volatile("red.shared::cluster.max.u32 [%0], %1;" ::"r"(at + 4), "r"(3 * t) : "memory");
  asm volatile("red.shared::cluster.min.s32 [%0], %1;" ::"r"(at + 8), "r"(5 - static_cast<int>(t)) : "memory");
  asm volatile("red.shared::cluster.max.s32 [%0], %1;" ::"r"(at + 12), "r"(static_cast<int>(t) - 9) : "memory");
  asm volatile("red.shared::cluster.or.b32 [%0], %1;" ::"r"(at + 16), "r"(1u << t % 32) : "memory");
  asm volatile("red.shared::cluster.xor.b32 [%0], %1;" ::"r"(at + 20), "r"(t * t) : "memory");
  asm volatile("red.shared::cluster.inc.u32 [%0], %1;" ::"r"(at + 24), "r"(99) : "memory");
  asm volatile("red.shared::cluster.and.b32 [%0], %1;" ::"r"(at + 28), "r"(~(1u << t % 16)) : "memory");
  asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(at + 32), "l"(0x100000000ull * t + t) : "memory");
  asm volatile("red.shared::cluster.add.f32 [%0], %1;" ::"r"(at + 40), "f"(0.5f * static_cast<float>(t)) : "memory");
  asm volatile("red.shared::cluster.add.f64 [%0], %1;" ::"r"(at + 48), "d"(0.25 * t) : "memory");
  asm volatile("red.shared::cluster.dec.u32 [%0], %1;" ::"r"(at + 56), "r"(50) : "memory");
  atomicAdd(there + 15, 2u);
  atomicAdd(reinterpret_cast<float*>(there + 16), 1.0f);
  atomicAdd(reinterpret_cast<unsigned long long*>(there + 18), 0x80000001ull);
  for (bool stored = t % 32 != 0; !stored;) {  // one lane of each warp
    const std::uint32_t seen = *static_cast<volatile std::uint32_t*>(there + 20);
    stored = atomicCAS(there + 20, seen, seen + t + 1) == seen;
  }
  __syncwarp();
  asm volatile("atom.shared::cluster.exch.b32 %0, [%1], %2;" : "=r"(old) : "r"(at + 84), "r"(t + 1) : "memory");
  atomicAdd(there + 22, old);  // each value but the last comes back once
  unsigned long long swapped;
  asm volatile("atom.shared::cluster.exch.b64 %0, [%1], %2;"
               : "=l"(swapped)
               : "r"(at + 96), "l"(0x100000001ull * (t + 1))
               : "memory");
  atomicAdd(there + 26, static_cast<std::uint32_t>(swapped >> 32));
  cluster.sync();
  if (cluster.block_rank() == to && threadIdx.x < 32) out[threadIdx.x] = words[threadIdx.x];
  cluster.sync();
}

__device__ std::uint32_t spaces_of(const void* pointer) {
  std::uint32_t own, cluster, local, global;
  asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(own) : "l"(pointer));
  asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 2, 0, p;}" : "=r"(cluster) : "l"(pointer));
  asm volatile("{.reg .pred p; isspacep.local p, %1; selp.u32 %0, 4, 0, p;}" : "=r"(local) : "l"(pointer));
  asm volatile("{.reg .pred p; isspacep.global p, %1; selp.u32 %0, 8, 0, p;}" : "=r"(global) : "l"(pointer));
  return own | cluster | local | global;
}
/// Eight words a CTA: spaces of its own word, the next CTA's, global memory; that word through a generic pointer.
extern "C" __global__ void cluster_spaces(std::uint32_t* out) {
  __shared__ std::uint32_t word;
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank();
  word = 40 + rank;
  cluster.sync();
  std::uint32_t* const next = cluster.map_shared_rank(&word, (rank + 1) % cluster.num_blocks());
  std::uint32_t* const mine = out + 8 * cta_index();
  mine[0] = spaces_of(&word), mine[1] = spaces_of(next), mine[2] = spaces_of(out);
  mine[3] = spaces_of(cluster.map_shared_rank(&word, rank)), mine[4] = *cluster.map_shared_rank(&word, rank),
  mine[5] = *next;
  cluster.sync();
}

/// Each CTA waits for arrivals of all others at its mbarrier, phase after phase; data of the phase are there then.
extern "C" __global__ void cluster_mbarrier(std::uint32_t* out, int phases) {
  __shared__ alignas(8) std::uint64_t barrier;
  __shared__ std::uint32_t inbox[16];
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank(), ctas = cluster.num_blocks(), t = threadIdx.x;
  const auto own = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(own), "r"(2 * ctas) : "memory");
  cluster.sync();
  std::uint32_t sum = 0;
  for (int phase = 0; phase < phases; ++phase) {
    if (t < ctas) {
      *cluster.map_shared_rank(inbox + rank, t) = 100 * phase + 10 * rank + t;
      const std::uint32_t there = mapped(&barrier, t);
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(there), "r"(2) : "memory");
    }
    for (int over = 0; over == 0;) {
      asm volatile(
          "{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
          : "=r"(over)
          : "r"(own), "r"(phase & 1)
          : "memory");
    }
    if (t < ctas) sum += inbox[t];
    cluster.sync();
  }
  if (t < ctas) out[16 * cta_index() + t] = sum;
}

/// Warps and CTAs that exit are not waited for. `out`: how many barriers a warp has passed.
extern "C" __global__ void cluster_exits(std::uint32_t* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t warp = threadIdx.x / 32, order = cluster.block_rank() * (blockDim.x / 32) + warp;
  std::uint32_t passed = 0;
  for (; passed < order; ++passed) cluster.sync();
  if (threadIdx.x % 32 == 0) out[cta_index() * (blockDim.x / 32) + warp] = passed;
}

/// Faults: 0 a CTA that has exited, 1 a rank that is not there, 2 beyond the memory, 3 another CTA's by its own window,
/// 4 arriving twice, 5 waiting without having arrived; 6 none.
extern "C" __global__ void cluster_faults(std::uint32_t* out, int fault) {
  __shared__ std::uint32_t word;
  cg::cluster_group cluster = cg::this_cluster();
  const std::uint32_t rank = cluster.block_rank();
  word = rank;
  cluster.sync();
  if (fault == 0 && rank == 1) return;
  std::uint32_t value = 0, at = mapped(&word, fault == 1 ? cluster.num_blocks() : 1);
  if (fault == 2) at += 4096;
  if (fault == 0) {
    for (const long long start = clock64(); clock64() - start < 5000;) {
    }
  }
  if (fault == 3 && rank == 0) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
  if (fault == 4) asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  if (fault < 3 && rank == 0) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
  if (fault != 5) asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  out[rank] = value;
}

/// Shared memory through every other instruction: copies, matrices, local atomics. One word a thread.
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_own(std::uint32_t* out, const std::uint32_t* in) {
  __shared__ alignas(128) std::uint32_t words[64];
  const auto own = static_cast<std::uint32_t>(__cvta_generic_to_shared(words));
  const unsigned i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(own + 4 * i), "l"(in + i + 64 * blockIdx.x) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  std::uint32_t row;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(row)
               : "r"(own + 128 * (i / 32) + 16 * (i % 8)));
  __syncthreads();
  atomicAdd(&words[i], row);
  __syncthreads();
  out[64 * blockIdx.x + i] = words[63 - i];
}

extern "C" __global__ void __launch_bounds__(64, 1, 4) cluster_bounded(std::uint32_t* out) {
  out[cta_index()] = special(1);
}

#endif
