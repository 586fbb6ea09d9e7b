// SPDX-License-Identifier: Apache-2.0
// Instruction sample: loads, stores, asynchronous copies and atomics of all kinds. Only its machine code matters.
#include <cuda_fp16.h>

#include <cstdint>

extern "C" __global__ void memory_widths(const int8_t* a, const uint8_t* b, const int16_t* c, const uint16_t* d,
                                         const int* e, const int2* f, const int4* g, int4* out, short* out16,
                                         char* out8, int2* out2) {
  int i = threadIdx.x;
  __shared__ int4 s4[64];
  __shared__ int2 s2[64];
  __shared__ int s1[64];
  __shared__ short s16[64];
  __shared__ signed char s8[64];
  s4[i] = g[i];
  s2[i] = f[i];
  s1[i] = e[i];
  s16[i] = c[i];
  s8[i] = a[i];
  __syncthreads();
  int j = 63 - i;
  int4 v = s4[j];
  int2 w = s2[j];
  v.x += w.x + s1[j] + s16[j] + s8[j] + b[i] + d[i] + reinterpret_cast<unsigned char*>(s8)[i] +
         reinterpret_cast<unsigned short*>(s16)[i];
  v.y += w.y;
  out[i] = v;
  out16[i] = static_cast<short>(v.x);
  out8[i] = static_cast<char>(v.y);
  out2[i] = w;
}

extern "C" __global__ void memory_operators(const int* __restrict__ a, volatile int* b, int* c, int n) {
  int i = threadIdx.x;
  int r =
      __ldg(a + i) + __ldca(c + i) + __ldcg(c + i + 32) + __ldcs(c + i + 64) + __ldlu(c + i + 96) + __ldcv(c + i + 128);
  r += b[i];
  __stwb(c + i, r);
  __stcg(c + i + 32, r);
  __stcs(c + i + 64, r);
  __stwt(c + i + 96, r);
  b[i + 1] = r;
  int x;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(x) : "l"(c + i) : "memory");
  r += x;
  asm volatile("ld.relaxed.sys.global.s32 %0, [%1];" : "=r"(x) : "l"(c + i + 1) : "memory");
  r += x;
  asm volatile("ld.global.L1::no_allocate.L2::128B.s32 %0, [%1];" : "=r"(x) : "l"(c + i + 2) : "memory");
  r += x;
  asm volatile("ld.global.L1::evict_last.L2::256B.s32 %0, [%1];" : "=r"(x) : "l"(c + i + 3) : "memory");
  r += x;
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(c + i), "r"(r) : "memory");
  asm volatile("st.relaxed.cta.global.s32 [%0], %1;" ::"l"(c + i + 4), "r"(r) : "memory");
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  __threadfence();
  __threadfence_system();
  __threadfence_block();
  asm volatile("prefetch.global.L2 [%0];" ::"l"(c + n));
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(c + n));
  if (n == 3) asm volatile("fence.sc.gpu;" ::: "memory");
  c[i] = r;
}

extern "C" __global__ void memory_generic(int** p, int* out, int n) {
  __shared__ int s[32];
  int local[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) local[k] = out[k + threadIdx.x];
  s[threadIdx.x] = n;
  __syncthreads();
  int* q = n > 4 ? &s[n & 31] : p[threadIdx.x];
  *q += 5;
  local[n & 15] = *q;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += local[(k * 7) & 15];
  out[threadIdx.x] = sum;
  atomicAdd(q, 2);
}

__constant__ int memory_table[256] = {1, 2, 3};
__device__ int memory_global[64];
__constant__ double memory_doubles[4] = {1.5, 2.5, 3.5, 4.5};

extern "C" __global__ void memory_constants(int* out, double* outd, int n) {
  out[threadIdx.x] = memory_table[threadIdx.x] + memory_table[n] + memory_global[threadIdx.x];
  outd[threadIdx.x] = memory_doubles[n & 3] + memory_doubles[1];
  const signed char* bytes = reinterpret_cast<const signed char*>(memory_table);
  const unsigned short* halves = reinterpret_cast<const unsigned short*>(memory_table);
  memory_global[threadIdx.x] = bytes[threadIdx.x] + halves[threadIdx.x * 2 + 1];
}

extern "C" __global__ void memory_atomics(int* a, unsigned* b, unsigned long long* c, float* d, double* e, __half2* h,
                                          long long* l, int n) {
  __shared__ int s[32];
  __shared__ unsigned u[32];
  __shared__ unsigned long long w[32];
  int i = threadIdx.x;
  s[i] = n;
  u[i] = b[i];
  w[i] = c[i];
  __syncthreads();
  int r = atomicAdd(a + i, n) + atomicMin(a + i + 1, n) + atomicMax(a + i + 2, n) + atomicExch(a + i + 3, n) +
          atomicCAS(a + i + 4, n, 7) + atomicAnd(a + i + 5, n) + atomicOr(a + i + 6, n) + atomicXor(a + i + 7, n);
  unsigned q = atomicInc(b + i, 9u) + atomicDec(b + i + 1, 9u) + atomicMax(b + i + 2, 3u);
  unsigned long long t = atomicAdd(c + i, 5ull) + atomicCAS(c + i + 1, 5ull, c[i]) + atomicExch(c + i + 2, 8ull) +
                         atomicMax(c + i + 3, 9ull);
  l[0] = atomicMin(l + i, 4ll);
  d[i + 1] = atomicAdd(d + i, 1.5f);
  e[i + 1] = atomicAdd(e + i, 2.5);
  h[i + 1] = atomicAdd(h + i, __float2half2_rn(1.0f));
  r += atomicAdd(s + (i ^ 1), n) + atomicCAS(s + (i ^ 2), n, 4) + atomicExch(s + (i ^ 3), 1) + atomicMax(s + i, n);
  q += atomicInc(u + (i ^ 1), 6u) + atomicMin(u + (i ^ 2), 6u) + atomicAnd(u + i, 7u);
  t += atomicCAS(w + (i ^ 1), t, 3ull) + atomicExch(w + (i ^ 2), t) + atomicAdd(w + i, 4ull);
  a[i] = r + s[i];
  b[i] = q;
  c[i] = t;
}

extern "C" __global__ void memory_reductions(int* a, unsigned* b, unsigned long long* c, float* d, double* e,
                                             __half2* h) {
  int i = threadIdx.x;
  atomicAdd(a + i, 1);
  atomicMin(a + i + 1, 2);
  atomicMax(b + i, 3u);
  atomicAnd(b + i + 1, 4u);
  atomicOr(b + i + 2, 5u);
  atomicXor(b + i + 3, 6u);
  atomicInc(b + i + 4, 6u);
  atomicAdd(c + i, 7ull);
  atomicAdd(d + i, 8.0f);
  atomicAdd(e + i, 9.0);
  atomicAdd(h + i, __float2half2_rn(1.0f));
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(b + i + 6), "r"(3) : "memory");
  atomicAdd_system(a + i + 8, 2);
  atomicAdd_block(a + i + 9, 2);
}

extern "C" __global__ void memory_async(const char* g, int* out, int n) {
  extern __shared__ int4 buffer[];
  unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(buffer)) + threadIdx.x * 16;
  const char* p = g + threadIdx.x * 16;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s), "l"(p));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(s + 512), "l"(p + 512));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s + 1024), "l"(p + 512));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s + 2048), "l"(p + 1024));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(s + 4096), "l"(p + 2048));
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::"r"(s + 4096), "l"(p + 2048), "r"(n));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 1;");
  asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 8, %2;" ::"r"(s), "l"(p), "r"(n & 8));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  unsigned r0, r1, r2, r3;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(s));
  unsigned sum = r0 + r1 + r2 + r3;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(s + 64));
  sum += r0 + r1;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(s + 128));
  sum += r0;
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(s), "r"(r0), "r"(r1), "r"(r2),
               "r"(r3));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(s), "r"(r0), "r"(r1));
#endif
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r1) : "r"(sum));
  out[threadIdx.x] = static_cast<int>(sum + r1);
}
