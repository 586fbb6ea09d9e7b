// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters: CTAs that work on each other's shared memory.
#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>

#include "validation/foreign/foreign.h"

namespace cg = cooperative_groups;

namespace {

template <typename... Parameters, typename... Arguments>
void launch_clusters(void (*kernel)(Parameters...), unsigned grid, unsigned block, unsigned cluster,
                     Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.attrs = &attribute;
  config.numAttrs = 1;
  FOREIGN_CUDA(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

constexpr int kBins = 256;

/// Bins are spread over the CTAs of a cluster; every thread adds wherever its value belongs.
__global__ void cluster_histogram(const int* values, int* bins, int n) {
  __shared__ int mine[kBins];
  cg::cluster_group cluster = cg::this_cluster();
  const int share = kBins / cluster.num_blocks();
  for (int i = threadIdx.x; i < share; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = values[i];
    atomicAdd(cluster.map_shared_rank(mine, bin / share) + bin % share, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < share; i += blockDim.x) atomicAdd(bins + cluster.block_rank() * share + i, mine[i]);
}

/// A sum per cluster: of threads, then of the CTAs in the memory of the first.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* in, long long* out, int n) {
  __shared__ long long part[8], all;
  cg::cluster_group cluster = cg::this_cluster();
  long long sum = 0;
  for (unsigned i = cluster.thread_rank(); i < n; i += cluster.num_threads()) sum += in[blockIdx.x / 4 * n + i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    all = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) all += part[w];
  }
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    for (unsigned r = 1; r < cluster.num_blocks(); ++r) all += *cluster.map_shared_rank(&all, r);
    out[blockIdx.x / 4] = all;
  }
  cluster.sync();
}

/// A ring of cells smoothed `steps` times in shared memory; cells at the ends come from the neighbours' memory.
__global__ void cluster_stencil(const float* in, float* out, int steps) {
  __shared__ float cells[2][128];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned ctas = cluster.num_blocks(), rank = cluster.block_rank(), i = threadIdx.x;
  cells[0][i] = in[blockIdx.x * 128 + i];
  cluster.sync();
  for (int s = 0; s < steps; ++s) {
    const float* const now = cells[s % 2];
    const float left = i > 0 ? now[i - 1] : cluster.map_shared_rank(now, (rank + ctas - 1) % ctas)[127];
    const float right = i < 127 ? now[i + 1] : cluster.map_shared_rank(now, (rank + 1) % ctas)[0];
    cells[(s + 1) % 2][i] = 0.25f * left + 0.5f * now[i] + 0.25f * right;
    cluster.sync();
  }
  out[blockIdx.x * 128 + i] = cells[steps % 2][i];
}

/// The largest value of a row that is spread over a cluster, and how often it occurs.
__global__ void cluster_largest(const int* in, int* out, int columns) {
  __shared__ int largest, count;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned row = blockIdx.x / cluster.num_blocks();
  if (threadIdx.x == 0) largest = -1, count = 0;
  cluster.sync();
  const int mine = in[row * columns + cluster.thread_rank()];
  for (unsigned r = 0; r < cluster.num_blocks(); ++r) atomicMax(cluster.map_shared_rank(&largest, r), mine);
  cluster.sync();
  if (mine == largest) atomicAdd(cluster.map_shared_rank(&count, 0), 1);
  cluster.sync();
  if (cluster.thread_rank() == 0) out[2 * row] = largest, out[2 * row + 1] = count;
}

}  // namespace

FOREIGN_CASE(histogram) {
  int n = 20000;
  const std::vector<int> values = foreign::integers(1, n, 0, kBins - 1);
  foreign::Device<int> in(values), bins(kBins);
  launch_clusters(cluster_histogram, 16, 256, 8, in.get(), bins.get(), n);
  std::vector<int> expected(kBins);
  for (const int v : values) ++expected[v];
  return foreign::equal(bins.host(), expected);
}

FOREIGN_CASE(sum) {
  const int n = 5000, rows = 6;
  const std::vector<int> values = foreign::integers(2, n * rows, -1000, 1000);
  foreign::Device<int> in(values);
  foreign::Device<long long> out(rows);
  cluster_sum<<<4 * rows, 256>>>(in.get(), out.get(), n);
  std::vector<long long> expected(rows);
  for (int i = 0; i < n * rows; ++i) expected[i / n] += values[i];
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(stencil) {
  const int ctas = 4, cells = 128 * ctas, steps = 9;
  std::vector<float> now = foreign::reals(3, cells), next(cells);
  foreign::Device<float> in(now), out(cells);
  launch_clusters(cluster_stencil, ctas, 128, ctas, in.get(), out.get(), steps);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < cells; ++i) {
      next[i] = std::fmaf(0.25f, now[(i + 1) % cells], std::fmaf(0.25f, now[(i + cells - 1) % cells], 0.5f * now[i]));
    }
    now.swap(next);
  }
  const std::vector<float> device = out.host();
  for (int i = 0; i < cells; ++i) {
    if (std::fabs(device[i] - now[i]) > 1e-5f) return false;
  }
  return true;
}

FOREIGN_CASE(largest) {
  const int rows = 12, ctas = 2, columns = 128 * ctas;
  const std::vector<int> values = foreign::integers(4, rows * columns, 0, 40);
  foreign::Device<int> in(values), out(2 * rows);
  launch_clusters(cluster_largest, rows * ctas, 128, ctas, in.get(), out.get(), columns);
  std::vector<int> expected;
  for (int r = 0; r < rows; ++r) {
    const auto first = values.begin() + r * columns, last = first + columns;
    const int most = *std::max_element(first, last);
    expected.push_back(most);
    expected.push_back(static_cast<int>(std::count(first, last, most)));
  }
  return foreign::equal(out.host(), expected);
}
