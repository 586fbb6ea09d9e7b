// SPDX-License-Identifier: Apache-2.0
// What the lanes of a warp do together: shuffles, votes, matches, reductions, also with parts of a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "validation/foreign/foreign.h"

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kAll = 0xffffffffu;

__global__ void shuffle_kinds(const int* in, int* out) {
  const int lane = threadIdx.x, v = in[lane];
  out[lane] = __shfl_sync(kAll, v, (lane * 7 + 3) & 31);
  out[32 + lane] = __shfl_up_sync(kAll, v, 3, 16);
  out[64 + lane] = __shfl_down_sync(kAll, v, 5, 8);
  out[96 + lane] = __shfl_xor_sync(kAll, v, 21);
  out[128 + lane] = __shfl_sync(kAll, v, lane, 4);
}

__global__ void votes(const int* in, unsigned* out) {
  const int i = threadIdx.x;
  const bool odd = in[i] & 1;
  const unsigned ballot = __ballot_sync(kAll, odd);
  out[i * 4] = ballot;
  out[i * 4 + 1] = __popc(ballot & ((1u << (i & 31)) - 1));
  out[i * 4 + 2] = __any_sync(kAll, in[i] > 95) + 2 * __all_sync(kAll, in[i] >= 0);
  out[i * 4 + 3] = __match_any_sync(kAll, in[i] & 3);
}

__global__ void half_masks(const int* in, int* out) {
  const int i = threadIdx.x, lane = i & 31;
  const unsigned mask = lane < 12 ? 0xfffu : ~0xfffu;  // two groups of one warp
  int sum = 0;
  if (lane < 12) {
    sum = __reduce_add_sync(mask, in[i]);
  } else {
    sum = __reduce_max_sync(mask, in[i]);
  }
  out[i] = sum + 1000 * __popc(__ballot_sync(mask, in[i] & 1));
}

__global__ void tiles(const int* in, int* out) {
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = threadIdx.x;
  out[i] = cg::reduce(tile, in[i], cg::plus<int>());
  out[64 + i] = cg::inclusive_scan(tile, in[i], cg::plus<int>());
  out[128 + i] = cg::reduce(tile, in[i], cg::greater<int>()) - (tile.any(in[i] == 7) ? 500 : 0);
}

__global__ void coalesced(const int* in, int* out, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(total, group.size());
    base = group.shfl(base, 0);
    out[base + group.thread_rank()] = in[i];
  }
}

__global__ void butterfly_argmax(const float* in, int* out) {
  float best = in[blockIdx.x * 32 + threadIdx.x];
  int where = threadIdx.x;
  for (int step = 16; step > 0; step >>= 1) {
    const float other = __shfl_xor_sync(kAll, best, step);
    const int place = __shfl_xor_sync(kAll, where, step);
    if (other > best || (other == best && place < where)) best = other, where = place;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = where;
}

}  // namespace

FOREIGN_CASE(shuffle_kinds) {
  const std::vector<int> in = foreign::integers(1, 32, 0, 999);
  foreign::Device<int> din(in), dout(160);
  shuffle_kinds<<<1, 32>>>(din.get(), dout.get());
  std::vector<int> expected(160);
  for (int l = 0; l < 32; ++l) {
    expected[l] = in[(l * 7 + 3) & 31];
    expected[32 + l] = in[l % 16 >= 3 ? l - 3 : l];
    expected[64 + l] = in[l % 8 < 3 ? l + 5 : l];
    expected[96 + l] = in[l ^ 21];
    expected[128 + l] = in[l / 4 * 4 + l % 4];
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(votes) {
  const std::vector<int> in = foreign::integers(2, 128, 0, 99);
  foreign::Device<int> din(in);
  foreign::Device<unsigned> dout(512);
  votes<<<1, 128>>>(din.get(), dout.get());
  std::vector<unsigned> expected(512);
  for (int i = 0; i < 128; ++i) {
    const int first = i / 32 * 32;
    bool any = false, all = true;
    unsigned ballot = 0, match = 0;
    for (int l = 0; l < 32; ++l) {
      ballot |= (in[first + l] & 1u) << l;
      any |= in[first + l] > 95;
      all &= in[first + l] >= 0;
      match |= unsigned((in[first + l] & 3) == (in[i] & 3)) << l;
    }
    expected[i * 4] = ballot;
    expected[i * 4 + 1] = __builtin_popcount(ballot & ((1u << (i & 31)) - 1));
    expected[i * 4 + 2] = any + 2 * all;
    expected[i * 4 + 3] = match;
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(half_masks) {
  const std::vector<int> in = foreign::integers(3, 64, 0, 99);
  foreign::Device<int> din(in), dout(64);
  half_masks<<<1, 64>>>(din.get(), dout.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) {
    const int warp = i / 32 * 32, begin = i % 32 < 12 ? 0 : 12, end = i % 32 < 12 ? 12 : 32;
    int sum = 0, most = 0, odd = 0;
    for (int l = begin; l < end; ++l) {
      sum += in[warp + l];
      most = std::max(most, in[warp + l]);
      odd += in[warp + l] & 1;
    }
    expected[i] = (begin == 0 ? sum : most) + 1000 * odd;
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(tiles_of_16) {
  const std::vector<int> in = foreign::integers(4, 64, 0, 99);
  foreign::Device<int> din(in), dout(192);
  tiles<<<1, 64>>>(din.get(), dout.get());
  std::vector<int> expected(192);
  for (int i = 0; i < 64; ++i) {
    int sum = 0, most = 0;
    bool seven = false;
    for (int k = i / 16 * 16; k < i / 16 * 16 + 16; ++k) {
      sum += in[k];
      most = std::max(most, in[k]);
      seven |= in[k] == 7;
      if (k == i) expected[64 + i] = sum;
    }
    expected[i] = sum;
    expected[128 + i] = most - (seven ? 500 : 0);
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(coalesced_compaction) {
  const int n = 2048;
  const std::vector<int> in = foreign::integers(5, n, 0, 9999);
  foreign::Device<int> din(in), dout(n), total(1);
  coalesced<<<8, 256>>>(din.get(), dout.get(), total.get());
  std::vector<int> expected, got = dout.host();
  for (const int v : in) {
    if (v % 3 == 0) expected.push_back(v);
  }
  got.resize(total.host()[0]);
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  return foreign::equal(got, expected);
}

FOREIGN_CASE(butterfly_argmax) {
  const std::vector<float> in = foreign::integers<float>(6, 32 * 40, 0, 60);
  foreign::Device<float> din(in);
  foreign::Device<int> dout(40);
  butterfly_argmax<<<40, 32>>>(din.get(), dout.get());
  std::vector<int> expected(40);
  for (int b = 0; b < 40; ++b) {
    expected[b] =
        static_cast<int>(std::max_element(in.begin() + b * 32, in.begin() + b * 32 + 32) - in.begin() - b * 32);
  }
  return foreign::equal(dout.host(), expected);
}
