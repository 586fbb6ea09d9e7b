// SPDX-License-Identifier: Apache-2.0
// Grids that synchronise as a whole, and clusters of CTAs that share memory.
#include <cooperative_groups.h>

#include "validation/foreign/foreign.h"

namespace cg = cooperative_groups;

namespace {

__global__ void grid_phases(int* data, int* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int phase = 0; phase < 3; ++phase) {
    if (i < n) out[i] = data[(i + 97) % n] + phase;
    grid.sync();
    if (i < n) data[i] = out[(i + 31) % n] * 2;
    grid.sync();
  }
}

__global__ void grid_reduction(const int* in, int* partial, int* out, int n) {
  __shared__ int sum;
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *out = all;
  }
}

}  // namespace

FOREIGN_RACE(grid_phases) {
  int n = 3000;
  std::vector<int> data = foreign::integers(1, n, -99, 99), out(n);
  foreign::Device<int> ddata(data), dout(n);
  int *pdata = ddata.get(), *pout = dout.get();
  void* arguments[] = {&pdata, &pout, &n};
  FOREIGN_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_phases), dim3(24), dim3(128), arguments,
                                           0, nullptr));
  for (int phase = 0; phase < 3; ++phase) {
    for (int i = 0; i < n; ++i) out[i] = data[(i + 97) % n] + phase;
    for (int i = 0; i < n; ++i) data[i] = out[(i + 31) % n] * 2;
  }
  return foreign::equal(ddata.host(), data);
}

FOREIGN_RACE(grid_reduction) {
  int n = 20000;
  const std::vector<int> in = foreign::integers(2, n, -99, 99);
  foreign::Device<int> din(in), partial(20), out(1);
  int *pin = din.get(), *ppartial = partial.get(), *pout = out.get();
  void* arguments[] = {&pin, &ppartial, &pout, &n};
  FOREIGN_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_reduction), dim3(20), dim3(256),
                                           arguments, 0, nullptr));
  int sum = 0;
  for (const int v : in) sum += v;
  return foreign::equal(out.host(), {sum});
}
