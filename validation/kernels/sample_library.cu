// SPDX-License-Identifier: Apache-2.0
// Instruction sample: what the toolkit's device libraries compile to: block-wide sort, scan, reduction and histogram,
// random numbers, mathematical functions of all widths, 8-bit floats, 128-bit integers. Only its machine code matters.
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <mma.h>
#include <cub/cub.cuh>
template <typename T>
__global__ void bsort(T* d) {
  using S = cub::BlockRadixSort<T, 128, 4>;
  __shared__ typename S::TempStorage t;
  T k[4];
  for (int i = 0; i < 4; i++) k[i] = d[threadIdx.x * 4 + i];
  S(t).Sort(k);
  for (int i = 0; i < 4; i++) d[threadIdx.x * 4 + i] = k[i];
}
template __global__ void bsort<int>(int*);
template __global__ void bsort<float>(float*);
template __global__ void bsort<double>(double*);
template <typename T>
__global__ void bscan(T* d) {
  using S = cub::BlockScan<T, 128>;
  __shared__ typename S::TempStorage t;
  T k = d[threadIdx.x];
  S(t).InclusiveSum(k, k);
  d[threadIdx.x] = k;
}
template __global__ void bscan<int>(int*);
template __global__ void bscan<long long>(long long*);
template __global__ void bscan<float>(float*);
template <typename T>
__global__ void bred(T* d) {
  using S = cub::BlockReduce<T, 256>;
  __shared__ typename S::TempStorage t;
  T k = d[threadIdx.x];
  T r = S(t).Reduce(k, [](T a, T b) { return a > b ? a : b; });
  if (threadIdx.x == 0) d[0] = r;
}
template __global__ void bred<int>(int*);
template __global__ void bred<double>(double*);
template __global__ void bred<unsigned char>(unsigned char*);
extern "C" __global__ void library_hist(unsigned char* d, unsigned* h) {
  using S = cub::BlockHistogram<unsigned char, 128, 4, 256>;
  __shared__ typename S::TempStorage t;
  __shared__ unsigned hs[256];
  unsigned char k[4];
  for (int i = 0; i < 4; i++) k[i] = d[threadIdx.x * 4 + i];
  S(t).Histogram(k, hs);
  __syncthreads();
  h[threadIdx.x] = hs[threadIdx.x];
}
extern "C" __global__ void library_rnd(float* o) {
  curandState s;
  curand_init(1234, threadIdx.x, 0, &s);
  o[threadIdx.x] = curand_normal(&s) + curand_uniform(&s) + curand_poisson(&s, 3.0);
  curandStatePhilox4_32_10_t p;
  curand_init(1, 2, 3, &p);
  float4 f = curand_normal4(&p);
  o[threadIdx.x + 32] = f.x + f.y * f.z - f.w;
}
extern "C" __global__ void library_fp8(const float* a, __nv_fp8_e4m3* o, __nv_fp8_e5m2* q, __half* h) {
  int i = threadIdx.x;
  o[i] = __nv_fp8_e4m3(a[i]);
  q[i] = __nv_fp8_e5m2(a[i + 1]);
  h[i] = __half(o[i + 1]) + __half(q[i + 3]);
}
extern "C" __global__ void library_wm(const __half* a, const __half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> A;
  fragment<matrix_b, 16, 16, 16, __half, col_major> B;
  fragment<accumulator, 16, 16, 16, float> C;
  fill_fragment(C, 0.f);
  for (int k = 0; k < 4; k++) {
    load_matrix_sync(A, a + k * 16, 64);
    load_matrix_sync(B, b + k * 16, 64);
    mma_sync(C, A, B, C);
  }
  store_matrix_sync(c, C, 16, mem_row_major);
}
extern "C" __global__ void library_math(const float* a, float* o, const double* d, double* e) {
  int i = threadIdx.x;
  float x = a[i];
  o[i] = sinf(x) + cosf(x) + tanf(x) + asinf(x) + atan2f(x, a[i + 1]) + expm1f(x) + log1pf(x) + powf(x, a[i + 2]) +
         erff(x) + tgammaf(x) + lgammaf(x) + cbrtf(x) + j0f(x) + fmodf(x, 3.f) + remainderf(x, 2.f) + ldexpf(x, i) +
         frexpf(x, &i) + hypotf(x, 2.f) + normcdff(x) + sinhf(x);
  double y = d[threadIdx.x];
  e[threadIdx.x] =
      sin(y) + exp(y) + log(y) + pow(y, 1.7) + tanh(y) + atan(y) + erf(y) + cbrt(y) + fmod(y, 3.0) + lgamma(y);
}
extern "C" __global__ void library_i128(__int128* a) {
  a[threadIdx.x] = a[threadIdx.x] * a[threadIdx.x + 1] / a[threadIdx.x + 2];
}
extern "C" __global__ void library_h2m(const __half2* a, __half2* o) {
  int i = threadIdx.x;
  o[i] = h2sin(a[i]) + h2exp(a[i]) + h2log(a[i]) / h2sqrt(a[i]) + h2rcp(a[i]) * h2rsqrt(a[i]) + h2floor(a[i]) +
         h2rint(a[i]) + h2ceil(a[i]) + h2trunc(a[i]);
  o[i + 32] = __hmax2_nan(a[i], a[i + 1]) + __hfma2_relu(a[i], a[i], a[i]) + __hadd2_sat(a[i], a[i + 2]);
  o[i + 64] = __hisnan2(a[i]) + __heq2(a[i], a[i + 1]) + __hneu2(a[i], a[i + 1]);
  if (__hbeq2(a[i], a[i + 1]) || __hbneu2(a[i], a[i + 2])) o[i + 96] = a[i];
  o[i + 128] = __halves2half2(__short_as_half(3), __ushort2half_rd(5));
}
