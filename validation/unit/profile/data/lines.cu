// SPDX-License-Identifier: Apache-2.0
// nvcc -arch=sm_80 -lineinfo -cubin lines.cu: lines of two kernels, of inlined functions and of one that is called.
__device__ __forceinline__ float square(float x) { return x * x; }

__device__ __forceinline__ float polynomial(float x) {
  const float y = square(x);
  return y + 2.0f * square(y);
}

__device__ __noinline__ float called(float x) {
  const float root = rsqrtf(x);
  return root + 1.0f;
}

extern "C" __global__ void inlined(float* a) {
  const float x = a[threadIdx.x];
  a[threadIdx.x] = polynomial(x);
}

extern "C" __global__ void calls(float* a) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][blockIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = called(tile[threadIdx.x][0]);
}
