// SPDX-License-Identifier: Apache-2.0
// What sm_90 has of its own: atomics on vectors and on 128 bits, minimum and maximum of three pairs of halves, f64
// matrices of 16 rows.
#include <cuda_fp16.h>

#define VECTOR_SUM(NAME, TYPE, WORDS, ...)                                                                    \
  extern "C" __global__ void NAME(unsigned* sums, const unsigned* values, const int* places) {                \
    const int i = threadIdx.x;                                                                                \
    const unsigned* v = values + WORDS * i;                                                                   \
    asm volatile("red.global.add" TYPE " [%0], {" __VA_ARGS__ ";" ::"l"(sums + WORDS * places[i]), "r"(v[0]), \
                 "r"(v[1]), "r"(v[WORDS > 2 ? 2 : 0]), "r"(v[WORDS > 2 ? 3 : 1])                              \
                 : "memory");                                                                                 \
  }
VECTOR_SUM(sum_half4, ".noftz.v2.f16x2", 2, "%1, %2}")
VECTOR_SUM(sum_half8, ".noftz.v4.f16x2", 4, "%1, %2, %3, %4}")
VECTOR_SUM(sum_bfloat4, ".noftz.v2.bf16x2", 2, "%1, %2}")
VECTOR_SUM(sum_bfloat8, ".noftz.v4.bf16x2", 4, "%1, %2, %3, %4}")

/// What an atomic sum of four floats found.
extern "C" __global__ void sum_float4(float4* sums, const float4* values, const int* places, float4* found) {
  found[threadIdx.x] = atomicAdd(sums + places[threadIdx.x], values[threadIdx.x]);
}
extern "C" __global__ void sum_float2(float2* sums, const float2* values, const int* places) {
  atomicAdd(sums + places[threadIdx.x], values[threadIdx.x]);
}

/// A chain of exchanges of 16 bytes through global and through shared memory: every value is found once.
extern "C" __global__ void exchange_quads(ulonglong2* chain, ulonglong2* found) {
  __shared__ ulonglong2 shared_chain;
  if (threadIdx.x == 0) shared_chain = make_ulonglong2(500, 501);
  __syncthreads();
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&shared_chain));
  const unsigned long long low = 2 * threadIdx.x, high = low + 1;
  unsigned long long a, b, c, d;
  asm volatile("{.reg .b128 p, q; mov.b128 p, {%3, %4}; atom.global.exch.b128 q, [%2], p; mov.b128 {%0, %1}, q;}"
               : "=l"(a), "=l"(b)
               : "l"(chain), "l"(low), "l"(high)
               : "memory");
  asm volatile("{.reg .b128 p, q; mov.b128 p, {%3, %4}; atom.shared.exch.b128 q, [%2], p; mov.b128 {%0, %1}, q;}"
               : "=l"(c), "=l"(d)
               : "r"(address), "l"(low), "l"(high)
               : "memory");
  found[threadIdx.x] = make_ulonglong2(a, b);
  found[32 + threadIdx.x] = make_ulonglong2(c, d);
}

/// Every lane tries to replace the pair {lane, lane + 1}, in global or in shared memory, by what it brings.
extern "C" __global__ void swap_quads(ulonglong2* pairs, ulonglong2* found) {
  __shared__ ulonglong2 shared_pairs[32];
  shared_pairs[threadIdx.x] = pairs[threadIdx.x];
  __syncwarp();
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared_pairs + threadIdx.x));
  const unsigned long long low = threadIdx.x, high = low + 1, brought = 1000 + low;
  unsigned long long a, b, c, d;
  asm volatile(
      "{.reg .b128 p, q, r; mov.b128 p, {%3, %4}; mov.b128 q, {%5, %5}; atom.global.cas.b128 r, [%2], p, q; "
      "mov.b128 {%0, %1}, r;}"
      : "=l"(a), "=l"(b)
      : "l"(pairs + threadIdx.x), "l"(low), "l"(high), "l"(brought)
      : "memory");
  asm volatile(
      "{.reg .b128 p, q, r; mov.b128 p, {%3, %4}; mov.b128 q, {%5, %5}; atom.shared.cas.b128 r, [%2], p, q; "
      "mov.b128 {%0, %1}, r;}"
      : "=l"(c), "=l"(d)
      : "r"(address), "l"(low), "l"(high), "l"(brought)
      : "memory");
  found[threadIdx.x] = make_ulonglong2(a, b);
  found[32 + threadIdx.x] = make_ulonglong2(c, d);
  found[64 + threadIdx.x] = shared_pairs[threadIdx.x];
}

/// Of three pairs each: maximum, minimum, and both with NaN as a result.
extern "C" __global__ void extremes(const __half2* v, __half2* out) {
  const int i = threadIdx.x;
  const __half2 a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
  out[4 * i] = __hmax2(__hmax2(a, b), c);
  out[4 * i + 1] = __hmin2(__hmin2(a, b), c);
  out[4 * i + 2] = __hmax2_nan(__hmax2_nan(a, b), c);
  out[4 * i + 3] = __hmin2_nan(__hmin2_nan(a, b), c);
}

/// Of each pair, as f16 and as bf16: hyperbolic tangent and power of two.
extern "C" __global__ void approximations(const unsigned* halves, const unsigned* bfloats, unsigned* out) {
  const int i = threadIdx.x;
  asm volatile("tanh.approx.f16x2 %0, %1;" : "=r"(out[4 * i]) : "r"(halves[i]));
  asm volatile("ex2.approx.f16x2 %0, %1;" : "=r"(out[4 * i + 1]) : "r"(halves[i]));
  asm volatile("tanh.approx.bf16x2 %0, %1;" : "=r"(out[4 * i + 2]) : "r"(bfloats[i]));
  asm volatile("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(out[4 * i + 3]) : "r"(bfloats[i]));
}

/// f64 m16n8k16: lane-major fragments.
extern "C" __global__ void double_products(const double* a, const double* b, const double* c, double* d) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  double s[4];
  for (int k = 0; k < 4; ++k) s[k] = c[4 * i + k];
  a += 8 * i;
  b += 4 * i;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
  for (int k = 0; k < 4; ++k) d[4 * i + k] = s[k];
}

// What is not modelled.
extern "C" __global__ void half_extreme(unsigned* v) {
  asm volatile("red.global.max.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(v), "r"(v[2]) : "memory");
}
extern "C" __global__ void mapped_load(unsigned* v) {
  asm volatile("ld.mmio.relaxed.sys.global.u32 %0, [%1];" : "=r"(v[1]) : "l"(v));
}
extern "C" __global__ void alias_fence(unsigned* v) { asm volatile("fence.proxy.alias;" ::: "memory"); }
