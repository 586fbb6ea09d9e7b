// SPDX-License-Identifier: Apache-2.0
// Stores of many SMs at one time: every so many clocks each CTA stores a number of KiB, all together or one after the
// other. The rows of measured/*/store_bursts.csv; the same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/store_bursts.cu -o store_bursts &&
//   ./store_bursts
//   ./store_bursts CTAS   (only launches of so many CTAs, once each)
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "validation/gpu/checked_call.h"

// rows: 1 as tiles of a matrix with `pitch` bytes a row, 0 as streams
extern "C" __global__ void __launch_bounds__(256) burst(unsigned* out, char* data, int per_warp, int rounds, int period,
                                                        int spread, int rows, int pitch, int same, unsigned* count) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) meet(count);
  __syncthreads();
  const unsigned t0 = read_clock();
  const unsigned late = spread ? (unsigned)((blockIdx.x * 37) % 132) * (unsigned)period / 132 : 0;
  for (int r = 0; r < rounds; ++r) {
    char* base;
    const int round = same ? 0 : r;
    if (rows)
      base = data + (size_t)((round * 132 + blockIdx.x) / 32) * 128 * pitch +
             (size_t)((round * 132 + blockIdx.x) % 32) * 256 + (size_t)(warp * 16 + lane / 4) * pitch + lane % 4 * 16;
    else
      base = data + (size_t)(round * 132 + blockIdx.x) * per_warp * 8 * 512 + (size_t)warp * per_warp * 512 + lane * 16;
    const size_t step = rows ? 64 : 512;
    spin(t0, late + r * period);
    const unsigned a = read_clock();
    for (int i = 0; i < per_warp; i += 8) {
#pragma unroll
      for (int j = 0; j < 8; ++j)
        if (i + j < per_warp) {
          char* to = rows ? base + (j & 3) * step + (j / 4) * 8 * (size_t)pitch : base + (i + j) * step;
          asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(to), "r"(r) : "memory");
        }
      if (rows) base += (size_t)pitch * 128;
    }
    const unsigned b = read_clock();
    if (lane == 0) out[((size_t)blockIdx.x * rounds + r) * 8 + warp] = b - a;
    __syncthreads();
  }
}
int main(int argc, char** argv) {
  char* data;
  CHECK(cudaMalloc(&data, (size_t)1 << 30));
  CHECK(cudaMemset(data, 0, (size_t)1 << 30));
  unsigned *count, *out;
  CHECK(cudaMalloc(&count, 4));
  CHECK(cudaMalloc(&out, 132 * 64 * 32));
  printf("kib,spread,rows,same,ctas,mean,most\n");
  for (int ctas : {1, 66, 132})
    if (argc < 2 || atoi(argv[1]) == ctas)
      for (int rows : {0, 1})
        for (int same : {0, 1})
          for (int kib : {4, 8, 16, 32, 64, 128})
            for (int spread : {0, 1}) {
              if (rows && kib < 32) continue;
              if (rows && same) continue;
              const int per_warp = kib * 1024 / 512 / 8, rounds = 8, period = 8000;
              for (int rep = 0; rep < (argc < 2 ? 2 : 1); ++rep) {
                CHECK(cudaMemset(count, 0, 4));
                burst<<<ctas, 256, 0>>>(out, data, per_warp, rounds, period, spread, rows, 8192, same, count);
                CHECK(cudaDeviceSynchronize());
              }
              std::vector<unsigned> h(132 * 64 * 8);
              CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
              double sum = 0, most = 0;
              for (int c = 0; c < ctas; ++c) {
                double one = 0;
                for (int r = 0; r < rounds; ++r) {
                  unsigned m = 0;
                  for (int w = 0; w < 8; ++w) m = std::max(m, h[(c * rounds + r) * 8 + w]);
                  one += m;
                }
                sum += one;
                most = std::max(most, one / rounds);
              }
              printf("%d,%d,%d,%d,%d,%.0f,%.0f\n", kib, spread, rows, same, ctas, sum / ctas / rounds, most);
            }
}
