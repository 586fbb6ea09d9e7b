// SPDX-License-Identifier: Apache-2.0
// Tensor copies whose boxes lie outside of the tensor, beside others that do not: the rows of
// measured/*/copies_outside.csv. The same program runs under `stcsim exec`. With three numbers it makes one launch, to
// be counted by a profiler.
//   nvcc -std=c++17 -O3 -arch=sm_90a -cudart shared -I. validation/gpu/copies_outside.cu -lcuda -o copies_outside
//   ./copies_outside [ctas kind rows]
// Boxes of `rows` rows of 128 bytes, four of them on their way. kind: 0 all CTAs read the same rows; 1 rows of their
// own; 2 all lie outside by their rows; 3 odd CTAs outside, even ones rows of their own; 4 all outside by their
// columns; 5 all read the same rows at a pitch of 16 bytes; 6 odd ones do, even ones rows of their own; 7 every eighth
// CTA outside, the others rows of their own; 8 every eighth CTA rows of its own, the others nothing; 9 odd ones the
// same rows, even ones rows of their own. Means and worst by even and odd CTAs; of kinds 7 and 8 by the others and
// every eighth.
#include <cuda.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "validation/gpu/box_map.h"
#include "validation/gpu/checked_call.h"
#include "validation/kernels/wgmma_ptx.h"
using namespace stc::kernels;
extern "C" __global__ void many(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap narrow, int kind,
                                int rows, int passes, int height, int width, unsigned* out) {
  extern __shared__ __align__(1024) unsigned char mem[];
  const unsigned base = shared_address(mem), bars = base + 196608;
  const int bytes = rows * 128, stages = 4;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) init_barrier(bars + i * 8, 1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const bool odd = blockIdx.x & 1, eighth = blockIdx.x % 8 == 0;
  const bool outside = kind == 2 || (kind == 3 && odd) || (kind == 7 && eighth);
  const bool own = kind == 1 || (kind == 3 && !odd) || (kind == 6 && !odd) || (kind == 7 && !eighth) || kind == 8 ||
                   (kind == 9 && !odd);
  const bool tight = kind == 5 || (kind == 6 && odd);
  if (kind == 8 && !eighth) return;
  const int y = outside ? height : own ? (int)blockIdx.x * rows : 0;
  const int x0 = kind == 4 ? width : 0, step = kind == 4 ? 0 : 64;
  unsigned t0 = 0;
  for (int pass = 0; pass <= passes; ++pass) {
    for (int i = 0; i < stages; ++i) {
      if (pass) wait(bars + i * 8, (pass - 1) & 1);
      if (pass == 1 && i == 0) t0 = read_clock();
      if (pass < passes) {
        expect_bytes(bars + i * 8, bytes);
        if (tight)
          load_box(base + i * bytes, narrow, bars + i * 8, i * 64, 0);
        else
          load_box(base + i * bytes, a, bars + i * 8, x0 + i * step, y);
      }
    }
  }
  out[blockIdx.x] = read_clock() - t0;
}
char* A;
unsigned* out;
void one(int ctas, int kind, int rows, bool print) {
  const int passes = 9, H = 132 * 256, W = 1024;
  TensorMap a = map_of(A, W, H, 64, rows, W * 2), n = map_of(A, W, rows, 64, rows, 16);
  CHECK(cudaMemset(out, 0, 1 << 16));
  many<<<ctas, 32, 196608 + 1024>>>(a, n, kind, rows, passes, H, W, out);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> h(132);
  CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
  if (!print) return;
  double s[2] = {};
  unsigned worst[2] = {};
  int n_[2] = {};
  const int odd_of = kind == 7 || kind == 8 ? 8 : 2;
  for (int c = 0; c < ctas; ++c) {
    int o = odd_of == 8 ? c % 8 == 0 : c & 1;
    if (h[c]) {
      s[o] += h[c], ++n_[o];
      worst[o] = std::max(worst[o], h[c]);
    }
  }
  const double lines = (passes - 1) * 4.0 * rows;
  printf("%d,%d,%d", kind, ctas, rows);
  for (int o = 0; o < 2; ++o) printf(",%.2f,%.2f", n_[o] ? s[o] / n_[o] / lines : 0, worst[o] / lines);
  printf("\n");
}
int main(int argc, char** argv) {
  CHECK(cudaMalloc(&A, 132 * 256 * 2048 + (1 << 20)));
  CHECK(cudaMalloc(&out, 1 << 16));
  CHECK(cudaMemset(A, 0, 132 * 256 * 2048));
  CHECK(cudaFuncSetAttribute(many, cudaFuncAttributeMaxDynamicSharedMemorySize, 196608 + 1024));
  if (argc > 3) {
    one(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), false);
    return 0;
  }
  printf("kind,ctas,rows,even,even_worst,odd,odd_worst\n");
  for (int kind = 0; kind <= 9; ++kind)
    for (int ctas : {1, 2, 4, 8, 16, 32, 66, 132})
      for (int rows : {256, 64}) {
        one(ctas, kind, rows, false);
        one(ctas, kind, rows, true);
      }
  return 0;
}
