// SPDX-License-Identifier: Apache-2.0
// A stream captured into a graph that is launched twice, and a launch behind it. The folders beside hold the first four
// kernels as an H200 made them (CUDA 13.0; the GPU file's name in the run files was replaced):
//   nvcc -arch=sm_90 -cudart shared program.cu -o program; stcgpu capture --out h200_graph -- ./program
#include <cstdio>
#include <vector>
__constant__ float weights[4];
__device__ int counter = 5;
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[i & 3];
  if (i == 0) atomicAdd(&counter, 3);
}
__global__ void add(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}
int main() {
  constexpr int n = 4096;
  float *in, *out, *other;
  cudaMalloc(&in, 4 * n);
  cudaMalloc(&out, 4 * n);
  cudaMalloc(&other, 4 * n);
  std::vector<float> a(n);
  for (int i = 0; i < n; ++i) a[i] = i % 31;
  cudaMemcpy(in, a.data(), 4 * n, cudaMemcpyHostToDevice);
  const float w[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(weights, w, 16);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t g;
  cudaGraphExec_t x;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(other, 0, 4 * n, s);
  scale<<<n / 256, 256, 0, s>>>(in, out, n);
  add<<<n / 128, 128, 0, s>>>(other, out, n);
  add<<<n / 128, 128, 0, s>>>(other, in, n);
  cudaStreamEndCapture(s, &g);
  if (cudaGraphInstantiate(&x, g, 0) != cudaSuccess) return 2;
  cudaGraphDestroy(g);
  cudaGraphLaunch(x, s);
  cudaGraphLaunch(x, s);
  scale<<<n / 256, 256, 0, s>>>(other, out, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  std::vector<float> b(n);
  cudaMemcpy(b.data(), out, 4 * n, cudaMemcpyDeviceToHost);
  int c;
  cudaMemcpyFromSymbol(&c, counter, 4);
  int wrong = c != 14;
  for (int i = 0; i < n; ++i) wrong += b[i] != (a[i] * w[i & 3] + a[i]) * w[i & 3];
  printf("graph: %s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
