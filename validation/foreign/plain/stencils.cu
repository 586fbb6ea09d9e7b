// SPDX-License-Identifier: Apache-2.0
// Stencils: straight from memory, through shared memory with halo, over three dimensions, with edges that differ.
#include "validation/foreign/foreign.h"

namespace {

__global__ void heat(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float c = in[y * w + x];
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    out[y * w + x] = c;
    return;
  }
  out[y * w + x] =
      c + 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - 4 * c);
}

template <int Radius>
__global__ void blur(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + Radius;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < Radius) {
    tile[t - Radius] = i >= Radius ? in[i - Radius] : 0;
    const int right = i + blockDim.x;
    tile[t + blockDim.x] = right < n ? in[right] : 0;
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int d = -Radius; d <= Radius; ++d) sum += tile[t + d] * (Radius + 1 - abs(d));
  if (i < n) out[i] = sum;
}

__global__ void laplace3(const double* in, double* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  const int plane = n * n;
  double below = in[y * n + x], here = in[plane + y * n + x];
  for (int z = 1; z < n - 1; ++z) {
    const double above = in[(z + 1) * plane + y * n + x];
    const double* p = in + z * plane + y * n + x;
    out[z * plane + y * n + x] = p[-1] + p[1] + p[-n] + p[n] + below + above - 6 * here;
    below = here;
    here = above;
  }
}

__global__ void life(const unsigned char* in, unsigned char* out, int w, int h) {
  __shared__ unsigned char tile[18][34];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 18 * 34; k += 32 * 16) {
    const int x = (x0 + k % 34 - 1 + w) % w, y = (y0 + k / 34 - 1 + h) % h;
    tile[k / 34][k % 34] = in[y * w + x];
  }
  __syncthreads();
  int sum = 0;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  const int alive = tile[threadIdx.y + 1][threadIdx.x + 1];
  out[(y0 + threadIdx.y) * w + x0 + threadIdx.x] = sum == 3 || (sum == 4 && alive);
}

}  // namespace

FOREIGN_CASE(heat) {
  const int w = 150, h = 70;
  std::vector<float> a = foreign::integers<float>(1, w * h, 0, 64), b = a;
  foreign::Device<float> da(a), db(a);
  for (int step = 0; step < 2; ++step) {
    heat<<<dim3(foreign::divide_up(w, 32), foreign::divide_up(h, 8)), dim3(32, 8)>>>(step ? db.get() : da.get(),
                                                                                     step ? da.get() : db.get(), w, h);
    for (int y = 1; y < h - 1; ++y) {
      for (int x = 1; x < w - 1; ++x) {
        b[y * w + x] = a[y * w + x] + 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] +
                                               a[(y + 1) * w + x] - 4 * a[y * w + x]);
      }
    }
    std::swap(a, b);
  }
  return foreign::equal(da.host(), a);
}

FOREIGN_CASE(blur_shared) {
  const int n = 5000;
  const std::vector<int> in = foreign::integers(2, n, -100, 100);
  foreign::Device<int> din(in), dout(n);
  blur<4><<<foreign::divide_up(n, 256), 256, (256 + 8) * sizeof(int)>>>(din.get(), dout.get(), n);
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) {
    for (int d = -4; d <= 4; ++d) expected[i] += i + d >= 0 && i + d < n ? in[i + d] * (5 - std::abs(d)) : 0;
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(laplace3_f64) {
  const int n = 34;
  const std::vector<double> in = foreign::integers<double>(3, n * n * n, -50, 50);
  foreign::Device<double> din(in), dout(n * n * n);
  laplace3<<<dim3(1, 8), dim3(32, 4)>>>(din.get(), dout.get(), n);
  std::vector<double> expected(n * n * n);
  for (int z = 1; z < n - 1; ++z) {
    for (int y = 1; y < n - 1; ++y) {
      for (int x = 1; x < n - 1; ++x) {
        const double* p = in.data() + (z * n + y) * n + x;
        expected[(z * n + y) * n + x] = p[1] + p[-1] + p[n] + p[-n] + p[n * n] + p[-n * n] - 6 * p[0];
      }
    }
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(game_of_life) {
  const int w = 96, h = 48;
  const std::vector<unsigned char> in = foreign::integers<unsigned char>(4, w * h, 0, 1);
  foreign::Device<unsigned char> din(in), dout(w * h);
  life<<<dim3(3, 3), dim3(32, 16)>>>(din.get(), dout.get(), w, h);
  std::vector<unsigned char> expected(w * h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      int neighbours = 0;
      for (int k = 0; k < 9; ++k) neighbours += k == 4 ? 0 : in[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w];
      expected[y * w + x] = neighbours == 3 || (neighbours == 2 && in[y * w + x]);
    }
  }
  return foreign::equal(dout.host(), expected);
}
