// SPDX-License-Identifier: Apache-2.0
// Launches of many kinds, which check themselves: structs with pointers, pointers in memory, variables, managed memory,
// much shared memory, a cooperative launch. The folders beside hold them as an H200 made them:
//   nvcc -arch=sm_90 -cudart shared program.cu -o program; stcgpu capture --out h200_launches -- ./program
// (CUDA 13.0; the GPU file's name in the run files was replaced).
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x)                                                               \
  do {                                                                         \
    cudaError_t e_ = (x);                                                      \
    if (e_) {                                                                  \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorName(e_)); \
      return 1;                                                                \
    }                                                                          \
  } while (0)
__constant__ float scale[16];
__constant__ int unset_constant[4] = {5, 6, 7, 8};
__device__ int counter = 3;
__device__ float table[4096];
__managed__ int shared_word = 10;
struct Problem {
  const float* a;
  int n;
  float* out;
  double factor;
  short flags[3];
};
__global__ void fill(float* p, int n, float v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = v + i % 7;
}
__global__ void scaled(Problem p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.out[i] = p.a[i] * scale[i % 16] * (float)p.factor + p.flags[1] + unset_constant[i % 4];
}
__global__ void through(float** rows, int count, float* sums) {
  float s = 0;
  const float* r = rows[blockIdx.x];
  for (int i = threadIdx.x; i < count; i += blockDim.x) s += r[i];
  for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = s;
}
__global__ void count(const float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (p[i] > 3.f) atomicAdd(&counter, 1);
    if (i < 4096) table[i] = p[i];
  }
  if (i == 0) shared_word += counter >= 3;
}
__global__ void big_shared(float* p, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = p[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = s[n - 1 - i];
}
__global__ void together(int* p) {
  auto g = cooperative_groups::this_grid();
  p[blockIdx.x] = blockIdx.x + 1;
  g.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < gridDim.x; ++i) s += p[i];
    p[gridDim.x] = s;
  }
}
int main() {
  const int n = 5000;
  float *a, *out, *sums, **rows;
  int* words;
  Problem* unused;
  CHECK(cudaMalloc(&a, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMalloc(&sums, 64));
  CHECK(cudaMalloc(&rows, 64));
  CHECK(cudaMalloc(&words, 4 * 100));
  CHECK(cudaMalloc(&unused, 3 << 20));
  float host[16];
  for (int i = 0; i < 16; ++i) host[i] = i * 0.5f;
  CHECK(cudaMemcpyToSymbol(scale, host, sizeof host));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  fill<<<20, 256, 0, s>>>(a, n, 1.f);
  Problem p{a, n, out, 2.0, {1, 2, 3}};
  scaled<<<20, 256, 0, s>>>(p);
  std::vector<float*> r = {a, out, a + 100, out + 200};
  CHECK(cudaMemcpyAsync(rows, r.data(), 32, cudaMemcpyHostToDevice, s));
  CHECK(cudaStreamSynchronize(s));
  through<<<4, 32>>>(rows, 1000, sums);
  count<<<20, 256>>>(a, n);
  CHECK(cudaDeviceSynchronize());
  shared_word += 100;
  count<<<20, 256>>>(a, n);
  CHECK(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  big_shared<<<1, 512, 60000>>>(a, n);
  int* w = words;
  void* args[] = {&w};
  CHECK(cudaLaunchCooperativeKernel((void*)together, 50, 64, args, 0, s));
  CHECK(cudaDeviceSynchronize());
  std::vector<float> ha(n), ho(n), hs(4);
  std::vector<int> hw(51);
  CHECK(cudaMemcpy(ha.data(), a, n * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(ho.data(), out, n * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hs.data(), sums, 16, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hw.data(), words, 204, cudaMemcpyDeviceToHost));
  int c;
  CHECK(cudaMemcpyFromSymbol(&c, counter, 4));
  int wrong = 0, expected = 0;
  for (int i = 0; i < n; ++i) {
    float v = 1.f + i % 7;
    wrong += ha[n - 1 - i] != v;
    wrong += ho[i] != v * host[i % 16] * 2.f + 2 + (5 + i % 4);
    expected += v > 3.f;
  }
  wrong += hw[50] != 50 * 51 / 2;
  wrong += c != 3 + 2 * expected;
  wrong += shared_word != 112;
  float s0 = 0;
  for (int i = 0; i < 1000; ++i) s0 += 1.f + i % 7;
  wrong += hs[0] != s0;
  CHECK(cudaFree(unused));
  printf("wrong %d, counter %d, word %d, sum %g\n", wrong, c, shared_word, hs[0]);
  return wrong ? 3 : 0;
}
