// SPDX-License-Identifier: Apache-2.0
// Element-wise kernels: the first programs that people write.
#include "validation/foreign/foreign.h"

namespace {

__global__ void saxpy(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void grid_stride(const int* x, int* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] - (x[i] >> 2);
}

__global__ void polynomial(const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
#pragma unroll
  for (int k = 7; k >= 0; --k) sum = sum * x[i] + (k + 1);
  y[i] = sum / (1.0 + x[i] * x[i]);
}

__global__ void vectorised(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  y[i] = make_float4(v.w + 1, v.z * 2, fmaxf(v.y, 0.f), -v.x);
}

struct Particle {
  float position[3];
  short kind;
  unsigned char flags;
};

__global__ void structures(const Particle* in, Particle* out, Particle shift, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = in[i];
  for (int d = 0; d < 3; ++d) p.position[d] += shift.position[d];
  p.kind = static_cast<short>(p.kind * shift.kind);
  p.flags ^= shift.flags;
  out[i] = p;
}

}  // namespace

FOREIGN_CASE(saxpy) {
  const int n = 10000;
  const std::vector<float> x = foreign::reals(1, n), y = foreign::reals(2, n);
  foreign::Device<float> dx(x), dy(y);
  saxpy<<<foreign::divide_up(n, 256), 256>>>(dx.get(), dy.get(), 2.5f, n);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = std::fma(2.5f, x[i], y[i]);
  return foreign::equal(dy.host(), expected);
}

FOREIGN_CASE(grid_stride) {
  const int n = 100003;
  const std::vector<int> x = foreign::integers(3, n, -1000000, 1000000);
  foreign::Device<int> dx(x), dy(n);
  grid_stride<<<40, 192>>>(dx.get(), dy.get(), n);
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = 3 * x[i] - (x[i] >> 2);
  return foreign::equal(dy.host(), expected);
}

FOREIGN_CASE(polynomial_f64) {
  const int n = 3000;
  const std::vector<double> x = foreign::reals<double>(4, n, -2, 2);
  foreign::Device<double> dx(x), dy(n);
  polynomial<<<foreign::divide_up(n, 128), 128>>>(dx.get(), dy.get(), n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 7; k >= 0; --k) sum = std::fma(sum, x[i], k + 1);
    expected[i] = sum / std::fma(x[i], x[i], 1.0);
  }
  return foreign::equal(dy.host(), expected);
}

FOREIGN_CASE(vectorised) {
  const int n = 4096;
  const std::vector<float> x = foreign::reals(5, 4 * n);
  foreign::Device<float> dx(x), dy(4 * n);
  vectorised<<<16, 256>>>(reinterpret_cast<const float4*>(dx.get()), reinterpret_cast<float4*>(dy.get()), n);
  std::vector<float> expected(4 * n);
  for (int i = 0; i < n; ++i) {
    expected[4 * i] = x[4 * i + 3] + 1;
    expected[4 * i + 1] = x[4 * i + 2] * 2;
    expected[4 * i + 2] = std::max(x[4 * i + 1], 0.f);
    expected[4 * i + 3] = -x[4 * i];
  }
  return foreign::equal(dy.host(), expected);
}

FOREIGN_CASE(structures) {
  const int n = 1000;
  std::vector<Particle> in(n);
  for (int i = 0; i < n; ++i) {
    in[i] = {{float(i), float(2 * i), -float(i)}, static_cast<short>(i % 100), static_cast<unsigned char>(i)};
  }
  const Particle shift{{1, 2, 3}, -3, 0x5a};
  foreign::Device<Particle> din(in), dout(n);
  structures<<<8, 128>>>(din.get(), dout.get(), shift, n);
  const std::vector<Particle> out = dout.host();
  for (int i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d) {
      if (out[i].position[d] != in[i].position[d] + shift.position[d]) return false;
    }
    if (out[i].kind != in[i].kind * -3 || out[i].flags != (in[i].flags ^ 0x5a)) return false;
  }
  return true;
}
