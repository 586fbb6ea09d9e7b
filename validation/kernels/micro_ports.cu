// SPDX-License-Identifier: Apache-2.0
// What one instruction costs beside eight matrix instructions: an iteration has eight independent m16n8k16 (d) or 2:4
// m16n8k32 (s) and `count` others, spread over them by the compiler.
//   micro_ports_<d|s>_<what><count>(Interval* out, int iterations); operations count iterations.
// add: two registers read, one written; inc: one read, one written; lds: an address read, one register returned later;
// ldsm: the same, four returned; sts: address and one register read.
#include "micro_common.cuh"
#include "probe_asm.cuh"

constexpr int kMmas = 8;

enum class Other { none, add, inc, lds, ldsm, sts };

template <Other kOther>
__device__ __forceinline__ void other(std::uint32_t (&r)[4], std::uint32_t near, int i) {
  if constexpr (kOther == Other::add) asm volatile("add.u32 %0, %0, %1;" : "+r"(r[0]) : "r"(r[1]));
  if constexpr (kOther == Other::inc) asm volatile("add.u32 %0, %0, 3;" : "+r"(r[0]));
  if constexpr (kOther == Other::lds)
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(near + i * 512));
  if constexpr (kOther == Other::ldsm)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(near + i * 512));
  if constexpr (kOther == Other::sts) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(near + i * 512), "r"(r[1]));
}

template <bool kSparse, Other kOther, int kCount>
__device__ __forceinline__ void ports(Interval* out, int iterations) {
  __shared__ __align__(128) std::uint32_t memory[2048];
  const std::uint32_t lane = threadIdx.x % 32;
  for (int i = static_cast<int>(threadIdx.x); i < 2048; i += static_cast<int>(blockDim.x)) memory[i] = 0;
  const std::uint32_t near = shared_address(memory) + lane * 16;
  const std::uint32_t zero = static_cast<std::uint32_t>(iterations) >> 20;  // unknown to the compiler
  std::uint32_t d[kMmas][4], a[2][4], b[2][4], r[4][4], e = 0x44444444u + zero;
  for (int i = 0; i < 4; ++i) {
    for (auto& chain : d) chain[i] = 0;
    for (int k = 0; k < 2; ++k) {
      a[k][i] = zero * (8 * k + i + 1);  // zeros, but registers of their own
      b[k][i] = zero * (8 * k + i + 5);
    }
    for (auto& x : r) x[i] = lane + zero;
  }
  asm volatile("" : "+r"(e));
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int m = 0; m < kMmas; ++m) {
        if constexpr (kSparse) {
          STC_MMA_SP_444(STC_SPARSE_PTX(m16n8k32, plain, f32, f16, f16, f32), d[m], a[m % 2], b[m / 2 % 2], e, 0);
        } else {
          STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d[m], a[m % 2], b[m / 2 % 2]);
        }
        if (kCount != 0 && m % (kMmas / (kCount + (kCount == 0))) == 0) other<kOther>(r[m % 4], near, m);
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int i = 0; i < 4; ++i) {
    for (auto& chain : d) keep ^= chain[i];
    for (auto& x : r) keep ^= x[i];
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations), keep);
}

#define PORTS(letter, sparse, what, count)                                                         \
  extern "C" __global__ void micro_ports_##letter##_##what##count(Interval* out, int iterations) { \
    ports<sparse, Other::what, count>(out, iterations);                                            \
  }
#define COUNTS(what)       \
  PORTS(d, false, what, 1) \
  PORTS(d, false, what, 2) \
  PORTS(d, false, what, 4) \
  PORTS(d, false, what, 8) \
  PORTS(s, true, what, 1)  \
  PORTS(s, true, what, 2)  \
  PORTS(s, true, what, 4)  \
  PORTS(s, true, what, 8)
PORTS(d, false, none, 0)
PORTS(s, true, none, 0)
COUNTS(add)
COUNTS(inc)
COUNTS(lds)
COUNTS(ldsm)
COUNTS(sts)
