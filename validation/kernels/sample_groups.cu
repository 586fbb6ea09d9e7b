// SPDX-License-Identifier: Apache-2.0
// Operations of parts of a warp that run side by side, each group of lanes with its own mask; and one operation of the
// whole warp that its lanes reach at two places of the code. Launched with one warp; `masks` holds each lane's group.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define STC_GROUP_KERNEL(name, expression)                                                    \
  extern "C" __global__ void name(unsigned* out, const unsigned* in, const unsigned* masks) { \
    unsigned t = threadIdx.x, v = in[t], m = masks[t];                                        \
    int p = 0;                                                                                \
    (void)v, (void)m;                                                                         \
    unsigned r = expression;                                                                  \
    out[t] = r + p;                                                                           \
  }

STC_GROUP_KERNEL(mask_add, __reduce_add_sync(m, v))
STC_GROUP_KERNEL(mask_max, __reduce_max_sync(m, v))
STC_GROUP_KERNEL(mask_ballot, __ballot_sync(m, v & 1))
STC_GROUP_KERNEL(mask_any, __any_sync(m, v & 1))
STC_GROUP_KERNEL(mask_all, __all_sync(m, v & 1))
STC_GROUP_KERNEL(mask_match_any, __match_any_sync(m, v & 3))
STC_GROUP_KERNEL(mask_match_all, __match_all_sync(m, v & 1, &p))
STC_GROUP_KERNEL(mask_shuffle, __shfl_sync(m, v, t ^ 1))
STC_GROUP_KERNEL(mask_sync, (__syncwarp(m), __activemask()))
STC_GROUP_KERNEL(tile16_add, cg::reduce(cg::tiled_partition<16>(cg::this_thread_block()), v, cg::plus<unsigned>()))
STC_GROUP_KERNEL(tile4_add, cg::reduce(cg::tiled_partition<4>(cg::this_thread_block()), v, cg::plus<unsigned>()))
STC_GROUP_KERNEL(tile4_votes, ([&] {
                   auto g = cg::tiled_partition<4>(cg::this_thread_block());
                   return g.ballot(v & 1) + 16 * g.any(v & 2) + 32 * g.all(v & 1) + 64 * g.match_any(v & 3);
                 }()))
STC_GROUP_KERNEL(labeled_add, ([&] {
                   auto g = cg::labeled_partition(cg::coalesced_threads(), v % 3);
                   return cg::reduce(g, v, cg::plus<unsigned>()) * 64 + g.thread_rank();
                 }()))

/// Groups of those that are on the same side of a branch.
extern "C" __global__ void sides_coalesced(unsigned* out, const unsigned* in, const unsigned*) {
  unsigned t = threadIdx.x, v = in[t];
  if (v & 1) {
    auto g = cg::coalesced_threads();
    out[t] = cg::reduce(g, v, cg::plus<unsigned>()) + g.thread_rank() + g.shfl(v, 0);
  } else {
    auto g = cg::coalesced_threads();
    out[t] = cg::reduce(g, v, cg::plus<unsigned>()) * 3 + g.ballot(v & 2);
  }
}

/// Each side of a branch with a mask of its own.
extern "C" __global__ void sides_add(unsigned* out, const unsigned* in, const unsigned*) {
  unsigned r;
  if (threadIdx.x & 1)
    r = __reduce_add_sync(0xaaaaaaaau, in[threadIdx.x]);
  else
    r = __reduce_add_sync(0x55555555u, in[threadIdx.x]) * 3;
  out[threadIdx.x] = r;
}

extern "C" __global__ void places_ballot(unsigned* out, const unsigned* in, const unsigned*) {
  unsigned r, t = threadIdx.x, v = in[t];
  if (v & 1) {
    r = __ballot_sync(0xffffffffu, v & 2);
    out[t + 32] = 5;
  } else {
    r = __ballot_sync(0xffffffffu, v & 4) * 3;
    out[t + 32] = v;
  }
  out[t] = r;
}

extern "C" __global__ void places_add(unsigned* out, const unsigned* in, const unsigned*) {
  unsigned r, t = threadIdx.x, v = in[t];
  if (v & 1) {
    r = __reduce_add_sync(0xffffffffu, v);
    out[t + 32] = 5;
  } else {
    r = __reduce_add_sync(0xffffffffu, v + 1) * 3;
    out[t + 32] = v;
  }
  out[t] = r;
}

extern "C" __global__ void places_shuffle(unsigned* out, const unsigned* in, const unsigned*) {
  unsigned r, t = threadIdx.x, v = in[t];
  if (v & 1) {
    r = __shfl_sync(0xffffffffu, v, t ^ 1);
    out[t + 32] = 5;
  } else {
    r = __shfl_sync(0xffffffffu, v * 7, t ^ 1) * 3;
    out[t + 32] = v;
  }
  out[t] = r;
}
