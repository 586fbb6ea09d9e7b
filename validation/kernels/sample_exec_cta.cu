// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads work together: shared memory, barriers, shuffles, votes, atomics, asynchronous copies.
#include <cstdint>

#include <cuda_fp16.h>

extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = a * x[i] + y[i];
}

/// Sum of a block's elements, by shuffles within warps and shared memory between them.
extern "C" __global__ void block_sum(const int* in, int* out) {
  __shared__ int partial[32];
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffffu, v, mask);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}

extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

/// Inclusive prefix sum of one block, in dynamic shared memory.
extern "C" __global__ void prefix_sum(const int* in, int* out) {
  extern __shared__ int values[];
  const int i = threadIdx.x;
  values[i] = in[i];
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    const int add = i >= offset ? values[i - offset] : 0;
    __syncthreads();
    values[i] += add;
    __syncthreads();
  }
  out[i] = values[i];
}

/// Transposes 32x32 tiles; two-dimensional blocks and grids.
extern "C" __global__ void transpose(const short* in, short* out, int width) {
  __shared__ short tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) tile[j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) out[(ty + j) * width + tx] = tile[threadIdx.x][j];
}

/// Votes, matches and reductions of a warp, also with part of the lanes.
extern "C" __global__ void warp_votes(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned v = in[lane];
  unsigned* row = out + lane * 12;
  row[0] = __ballot_sync(~0u, v & 1u);
  row[1] = __any_sync(~0u, v == 77u) + 2 * __all_sync(~0u, v < 1000u);
  row[2] = __match_any_sync(~0u, v % 5);
  int same;
  row[3] = __match_all_sync(~0u, v / 1000u, &same) + same;
  row[4] = __reduce_add_sync(~0u, v);
  row[5] = __reduce_max_sync(~0u, v) ^ __reduce_min_sync(~0u, v);
  row[6] = __shfl_sync(~0u, v, (lane * 7) & 31) + __shfl_up_sync(~0u, v, 3, 8);
  row[7] = __shfl_sync(~0u, v, 5, 16);
  if (lane % 3 == 0) {
    row[8] = __reduce_or_sync(__activemask(), v);
    row[9] = __ballot_sync(0x49249249u, v & 2u);
  } else {
    row[8] = __reduce_xor_sync(__activemask(), v);
    row[9] = __shfl_xor_sync(0xb6db6db6u, v, 0);
  }
  __syncwarp();
  unsigned less;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  row[10] = less;
  row[11] = __activemask();
}

extern "C" __global__ void barrier_votes(const int* in, int* out) {
  const int v = in[threadIdx.x];
  const int count = __syncthreads_count(v > 3);
  const int all = __syncthreads_and(v >= 0);
  const int any = __syncthreads_or(v == 9);
  const int again = __syncthreads_count(v == 4);
  out[threadIdx.x] = count * 1000000 + again * 100 + all * 10 + any;
}

/// Every kind of atomic on global memory; results do not depend on the order of the threads.
extern "C" __global__ void atomics(const unsigned* in, unsigned* words, unsigned long long* wide, float* floats,
                                   double* doubles, __half2* halves, unsigned* order) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  atomicAdd(&words[0], v);
  atomicMin(&words[1], v);
  atomicMax(&words[2], v);
  atomicMin(reinterpret_cast<int*>(&words[3]), static_cast<int>(v));
  atomicMax(reinterpret_cast<int*>(&words[4]), static_cast<int>(v));
  atomicAnd(&words[5], v | 0xff);
  atomicOr(&words[6], v);
  atomicXor(&words[7], v);
  order[atomicInc(&words[8], 1000u)] = 1;
  atomicDec(&words[9], 1000u);
  atomicAdd(&wide[0], static_cast<unsigned long long>(v) << 20);
  atomicMax(&wide[1], static_cast<unsigned long long>(v) << 31);
  unsigned long long old = wide[2], seen;
  do {
    seen = old;
    old = atomicCAS(&wide[2], seen, seen + v);
  } while (old != seen);
  atomicAdd(floats, static_cast<float>(v & 15));
  atomicAdd(doubles, static_cast<double>(v & 255));
  atomicAdd(halves, __floats2half2_rn(1.0f, 0.5f));
  if (atomicExch(&words[10], v) == 0xffffffffu) atomicAdd(&words[11], 1u);
}

/// A lock that the lanes of one warp take one after the other: needs progress of diverged paths.
extern "C" __global__ void lane_lock(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      const int v = *reinterpret_cast<volatile int*>(counter);
      *reinterpret_cast<volatile int*>(counter) = v + static_cast<int>(threadIdx.x) + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

/// Pointers that name shared, local or global memory depending on data.
extern "C" __global__ void generic_pointers(const int* in, int* out) {
  __shared__ int in_shared[64];
  int in_local[8];
  const int i = threadIdx.x;
  in_shared[i] = in[i] * 3;
  for (int k = 0; k < 8; ++k) in_local[k] = in[i] + k;
  __syncthreads();
  const int which = in[i] % 3;
  const int* p = which == 0 ? &in_shared[63 - i] : which == 1 ? &in_local[in[i] & 7] : &in[(i * 5) & 63];
  out[i] = *p;
}

__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ int offsets[4] = {100, 200, 300, 400};

extern "C" __global__ void constant_table(const int* in, int* out) {
  const int v = in[threadIdx.x];
  out[threadIdx.x] = table[v & 15] * 1000 + table[threadIdx.x >> 1 & 15];
}

/// Asynchronous copies, some zero-filled, then read by other threads.
extern "C" __global__ void async_copy(const int4* in, int4* out, int valid) {
  __shared__ int4 staged[64];
  const int i = threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&staged[i]));
  const int bytes = i < valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + i), "r"(bytes));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[i] = staged[63 - i];
}

/// Loads four 8x8 matrices as fragments, plain and transposed.
extern "C" __global__ void load_matrices(const uint4* in, unsigned* out) {
  __shared__ uint4 rows[32];
  const int i = threadIdx.x;
  rows[i] = in[i];
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&rows[i]));
  unsigned r[4], t[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3])
               : "r"(at));
  for (int k = 0; k < 4; ++k) out[k * 32 + i] = r[k], out[128 + k * 32 + i] = t[k];
}

/// Half-precision arithmetic; out holds the words of eight results per thread.
extern "C" __global__ void half_arithmetic(const __half2* a, const __half2* b, __half2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 x = a[i], y = b[i];
  __half2* row = out + i * 8;
  row[0] = __hadd2(x, y);
  row[1] = __hmul2(x, y);
  row[2] = __hfma2(x, y, x);
  row[3] = __hmin2(x, y);
  row[4] = __hmax2(x, y);
  row[5] = __hsub2(__low2half2(x), __high2half2(y));
  row[6] = __float22half2_rn(make_float2(__low2float(x) * 1.001f, __high2float(y) * 3.0f));
  row[7] = __halves2half2(__int2half_rn(__half2int_rz(__low2half(y))),
                          __hlt(__low2half(x), __low2half(y)) ? __float2half_rz(1.37f) : __float2half_ru(1.37f));
}

/// Library functions: argument reduction around the approximate units.
extern "C" __global__ void float_functions(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float* row = out + i * 10;
  row[0] = expf(x);
  row[1] = logf(fabsf(x));
  row[2] = sinf(x);
  row[3] = cosf(x);
  row[4] = tanhf(x);
  row[5] = exp2f(x);
  row[6] = log2f(fabsf(x));
  row[7] = rsqrtf(fabsf(x));
  row[8] = powf(fabsf(x), 0.3f);
  row[9] = __sinf(x);
}
