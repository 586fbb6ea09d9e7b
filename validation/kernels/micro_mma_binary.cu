// SPDX-License-Identifier: Apache-2.0
// Throughput and latency of matrix products of single bits, as micro_mma.cu has them of other types:
// micro_mma_<shape>_b1_and_c<chains>(Interval* out, int iterations). sm_90 makes .xor of two .and.
#define STC_MICRO_FEED(chain)
#include "micro_mma.cuh"

#define BINARY(chains, na, nb, nc, shape)                                    \
  STC_MICRO_(micro_mma_##shape##_b1_and_c##chains, chains, true, na, nb, nc, \
             STC_MMA_##na##nb##nc("mma.sync.aligned." #shape ".row.col.s32.b1.b1.s32.and.popc ", d[c], ra, b[c]))
#define CHAINS(...)      \
  BINARY(1, __VA_ARGS__) \
  BINARY(2, __VA_ARGS__) \
  BINARY(4, __VA_ARGS__) \
  BINARY(8, __VA_ARGS__)

CHAINS(2, 1, 4, m16n8k128)
CHAINS(4, 2, 4, m16n8k256)
