// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a CTA and of a warp inside ordinary kernels.
#include <algorithm>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include "validation/foreign/foreign.h"

namespace {

__global__ void sort_pairs(const int* keys, const int* values, int* out_keys, int* out_values) {
  using Sort = cub::BlockRadixSort<int, 128, 4, int>;
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Sort::TempStorage sort;
    Load::TempStorage load;
    Store::TempStorage store;
  } storage;
  int key[4], value[4];
  const int base = blockIdx.x * 512;
  Load(storage.load).Load(keys + base, key);
  __syncthreads();
  Load(storage.load).Load(values + base, value);
  __syncthreads();
  Sort(storage.sort).Sort(key, value);
  __syncthreads();
  Store(storage.store).Store(out_keys + base, key);
  __syncthreads();
  Store(storage.store).Store(out_values + base, value);
}

template <cub::BlockReduceAlgorithm Algorithm>
__global__ void reduce(const double* in, double* out) {
  using Reduce = cub::BlockReduce<double, 192, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const double sum = Reduce(storage).Sum(in[blockIdx.x * 192 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <cub::BlockScanAlgorithm Algorithm>
__global__ void scan(const int* in, int* out, int* totals) {
  using Scan = cub::BlockScan<int, 128, Algorithm>;
  __shared__ typename Scan::TempStorage storage;
  int item[3], total;
  for (int i = 0; i < 3; ++i) item[i] = in[(blockIdx.x * 128 + threadIdx.x) * 3 + i];
  Scan(storage).ExclusiveSum(item, item, total);
  for (int i = 0; i < 3; ++i) out[(blockIdx.x * 128 + threadIdx.x) * 3 + i] = item[i];
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void block_histogram(const unsigned char* in, int* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 64, cub::BLOCK_HISTO_SORT>;
  __shared__ Histogram::TempStorage storage;
  __shared__ int bins[64];
  unsigned char item[4];
  for (int i = 0; i < 4; ++i) item[i] = in[threadIdx.x * 4 + i];
  Histogram(storage).Histogram(item, bins);
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void warp_collectives(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int>;
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ Reduce::TempStorage reduce[8];
  __shared__ Scan::TempStorage scan[4];
  __shared__ Sort::TempStorage sort[4];
  const int t = threadIdx.x, warp = t / 32;
  const int sum = Reduce(reduce[t / 16]).Sum(in[t]);
  int prefix;
  Scan(scan[warp]).InclusiveSum(in[t], prefix);
  int pair[2] = {in[t], in[127 - t]};
  Sort(sort[warp]).Sort(pair, [](int a, int b) { return a < b; });
  out[t] = t % 16 == 0 ? sum : 0;
  out[128 + t] = prefix;
  out[256 + 2 * t] = pair[0];
  out[256 + 2 * t + 1] = pair[1];
}

}  // namespace

FOREIGN_CASE(sort_pairs) {
  const int n = 1536;
  const std::vector<int> keys = foreign::integers(1, n, -100000, 100000);
  std::vector<int> order(n), sorted(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  foreign::Device<int> dkeys(keys), dvalues(order), okeys(n), ovalues(n);
  sort_pairs<<<3, 128>>>(dkeys.get(), dvalues.get(), okeys.get(), ovalues.get());
  for (int b = 0; b < n; b += 512) {
    std::stable_sort(order.begin() + b, order.begin() + b + 512, [&](int x, int y) { return keys[x] < keys[y]; });
  }
  for (int i = 0; i < n; ++i) sorted[i] = keys[order[i]];
  return foreign::equal(okeys.host(), sorted) && foreign::equal(ovalues.host(), order);
}

namespace {

template <cub::BlockReduceAlgorithm Algorithm>
bool run_reduce() {
  const std::vector<double> in = foreign::integers<double>(2, 192 * 5, -999, 999);
  foreign::Device<double> din(in), out(5);
  reduce<Algorithm><<<5, 192>>>(din.get(), out.get());
  std::vector<double> expected(5);
  for (int i = 0; i < 192 * 5; ++i) expected[i / 192] += in[i];
  return foreign::equal(out.host(), expected);
}

template <cub::BlockScanAlgorithm Algorithm>
bool run_scan() {
  const int n = 128 * 3 * 4;
  const std::vector<int> in = foreign::integers(3, n, -99, 99);
  foreign::Device<int> din(in), out(n), totals(4);
  scan<Algorithm><<<4, 128>>>(din.get(), out.get(), totals.get());
  std::vector<int> expected(n), sums(4);
  for (int i = 0; i < n; ++i) {
    expected[i] = sums[i / 384];
    sums[i / 384] += in[i];
  }
  return foreign::equal(out.host(), expected) && foreign::equal(totals.host(), sums);
}

}  // namespace

FOREIGN_CASE(reduce_shuffles) { return run_reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(); }
FOREIGN_CASE(reduce_raking) { return run_reduce<cub::BLOCK_REDUCE_RAKING>(); }
FOREIGN_CASE(scan_shuffles) { return run_scan<cub::BLOCK_SCAN_WARP_SCANS>(); }
FOREIGN_CASE(scan_raking) { return run_scan<cub::BLOCK_SCAN_RAKING>(); }

FOREIGN_CASE(block_histogram) {
  const std::vector<unsigned char> in = foreign::integers<unsigned char>(4, 512, 0, 63);
  foreign::Device<unsigned char> din(in);
  foreign::Device<int> out(64);
  block_histogram<<<1, 128>>>(din.get(), out.get());
  std::vector<int> expected(64);
  for (const unsigned char v : in) ++expected[v];
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(warp_collectives) {
  const std::vector<int> in = foreign::integers(5, 128, -999, 999);
  foreign::Device<int> din(in), out(512);
  warp_collectives<<<1, 128>>>(din.get(), out.get());
  std::vector<int> expected(512);
  for (int t = 0; t < 128; ++t) {
    expected[t / 16 * 16] += in[t];
    expected[128 + t] = in[t] + (t % 32 ? expected[128 + t - 1] : 0);
    expected[256 + 2 * t] = in[t];
    expected[256 + 2 * t + 1] = in[127 - t];
  }
  for (int w = 0; w < 4; ++w) std::sort(expected.begin() + 256 + 64 * w, expected.begin() + 256 + 64 * (w + 1));
  return foreign::equal(out.host(), expected);
}
