// SPDX-License-Identifier: Apache-2.0
// SMs of a GPC that read the same blocks of 16 KiB by bulk copies or tensor boxes, together or one behind the other:
// clusters of eight CTAs, one CTA per SM, `share` of which read one stream of blocks. The rows of
// measured/*/copies_together.csv: SM clocks until the last and the first block has arrived, mean and most of the CTAs.
// The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/copies_together.cu -lcuda -o copies_together &&
//   ./copies_together
//   ./copies_together quick   (each stream is read once instead of four times)
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>
#include "validation/gpu/checked_call.h"
#include "validation/kernels/wgmma_ptx.h"

using namespace stc::kernels;

constexpr int kBlockBytes = 16384, kBlocks = 12;  // of a stream
constexpr int kStreams = 128, kCluster = 8, kMostCtas = 112, kMostDepth = 8;
constexpr int kRows = 128, kColumns = 64;  // of a box, 16 bits each
constexpr int kSharedBytes = 200 * 1024;   // no second CTA fits in an SM

enum Kind { kBoxes, kBulk };

__device__ inline void load_bulk(std::uint32_t target, const char* from, std::uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(target),
               "l"(from), "r"(kBlockBytes), "r"(barrier)
               : "memory");
}
// `share` CTAs of a cluster (all CTAs, where more than a cluster's) read one stream of `blocks` blocks `passes` times
// with `depth` blocks on their way, each CTA `skew` clocks behind the one before. out: per CTA the clocks until its
// last and its first block has arrived, and its SM
extern "C" __global__ void __launch_bounds__(32)
    read_streams(const __grid_constant__ TensorMap map, const char* data, int kind, int share, int depth, int blocks,
                 int passes, int skew, unsigned* count, unsigned* out) {
  extern __shared__ __align__(1024) unsigned char slots[];
  const std::uint32_t base = shared_address(slots), barriers = base + kMostDepth * kBlockBytes;
  const std::uint32_t cluster = blockIdx.x / kCluster, rank = blockIdx.x % kCluster;
  const int stream = share > kCluster ? 0 : cluster * kCluster + rank / share * share;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kMostDepth; ++i) init_barrier(barriers + i * 8, 1);
    publish_barriers();
    const unsigned sm = sm_id();
    meet(count);
    const unsigned met = read_clock();
    if (skew) {
      const unsigned late = skew * (rank % (share > kCluster ? kCluster : share));
      spin(met, late);
    }
    const unsigned start = read_clock();
    const char* from = data + (size_t)stream * blocks * kBlockBytes;
    const auto load = [&](int slot, int block) {
      const std::uint32_t barrier = barriers + slot * 8, to = base + slot * kBlockBytes;
      expect_bytes(barrier, kBlockBytes);
      if (kind == kBoxes)
        load_box(to, map, barrier, block * kColumns, stream * kRows);
      else
        load_bulk(to, from + block * kBlockBytes, barrier);
    };
    const int total = blocks * passes;
    int slot = 0, block = 0;
    unsigned first = 0, parity = 0;
    for (int i = 0; i < depth; ++i) {
      load(slot, block);
      if (++slot == depth) slot = 0;
      if (++block == blocks) block = 0;
    }
    for (int i = depth; i < total + depth; ++i) {
      wait(barriers + slot * 8, parity);
      if (i == depth) first = read_clock() - start;
      if (i < total) load(slot, block);
      if (++slot == depth) {
        slot = 0;
        parity ^= 1;
      }
      if (++block == blocks) block = 0;
    }
    const unsigned end = read_clock();
    out[blockIdx.x * 3] = end - start;
    out[blockIdx.x * 3 + 1] = first;
    out[blockIdx.x * 3 + 2] = sm;
  }
}
TensorMap map_of(void* data) {
  TensorMap map;
  const cuuint64_t size[2] = {kBlocks * kColumns, kStreams * kRows}, stride[1] = {kBlocks * kColumns * 2};
  const cuuint32_t box[2] = {kColumns, kRows}, step[2] = {1, 1};
  const CUresult result =
      cuTensorMapEncodeTiled((CUtensorMap*)&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, stride, box, step,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: %d\n", static_cast<int>(result));
    std::exit(1);
  }
  return map;
}
struct Reading {
  int kind, share, depth, skew, ctas, passes;
};
struct Buffers {
  TensorMap map;
  char* data;
  unsigned *count, *out;
};
void launch(const Buffers& with, const Reading& how) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = kCluster;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = how.ctas;
  config.blockDim = 32;
  config.dynamicSmemBytes = kSharedBytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  const char* const data = with.data;
  CHECK(cudaMemset(with.count, 0, 4));
  CHECK(cudaLaunchKernelEx(&config, read_streams, with.map, data, how.kind, how.share, how.depth, kBlocks, how.passes,
                           how.skew, with.count, with.out));
  CHECK(cudaDeviceSynchronize());
}
// of the second of two launches: the first brings the data into L2
void print_row(const Buffers& with, const Reading& how) {
  for (int i = 0; i < 2; ++i) launch(with, how);
  std::vector<unsigned> out(how.ctas * 3);
  CHECK(cudaMemcpy(out.data(), with.out, out.size() * 4, cudaMemcpyDeviceToHost));
  double sum = 0, first_sum = 0;
  unsigned most = 0, first_most = 0;
  std::set<unsigned> sms;
  for (int i = 0; i < how.ctas; ++i) {
    const unsigned last = out[i * 3], first = out[i * 3 + 1];
    sum += last;
    first_sum += first;
    most = std::max(most, last);
    first_most = std::max(first_most, first);
    sms.insert(out[i * 3 + 2]);
  }
  if (sms.size() != static_cast<size_t>(how.ctas)) std::fprintf(stderr, "%d CTAs on %zu SMs\n", how.ctas, sms.size());
  std::printf("%d,%d,%d,%d,%d,%.0f,%u,%.0f,%u\n", how.kind, how.share, how.depth, how.skew, how.ctas, sum / how.ctas,
              most, first_sum / how.ctas, first_most);
  std::fflush(stdout);
}
int main(int argc, char** argv) {
  const int passes = argc > 1 && std::strcmp(argv[1], "quick") == 0 ? 1 : 4;
  const size_t bytes = static_cast<size_t>(kStreams) * kBlocks * kBlockBytes;
  Buffers with;
  CHECK(cudaMalloc(&with.data, bytes));
  CHECK(cudaMemset(with.data, 0, bytes));
  CHECK(cudaMalloc(&with.count, 4));
  CHECK(cudaMalloc(&with.out, kMostCtas * 12));
  with.map = map_of(with.data);
  CHECK(cudaFuncSetAttribute(read_streams, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  std::printf("kind,share,depth,skew,ctas,mean,most,first_mean,first_most\n");
  for (int kind : {kBoxes, kBulk})
    for (int ctas : {kCluster, kMostCtas})
      for (int share : {1, 2, 4, 8, 128}) {
        if (share > kCluster && ctas < kMostCtas) continue;
        for (int depth : {1, 2, 4, 8}) print_row(with, {kind, share, depth, 0, ctas, passes});
        if (kind != kBoxes || share == 1 || share > kCluster || ctas < kMostCtas) continue;
        for (int skew : {30, 100, 200, 400, 800}) print_row(with, {kind, share, 4, skew, ctas, passes});
      }
}
