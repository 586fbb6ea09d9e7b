// SPDX-License-Identifier: Apache-2.0
// Throughput and latency of double-precision matrix products, as micro_mma.cu has them of other types:
//   micro_mma_<shape>_f64_c<chains>(Interval* out, int iterations)
// All chains share A, each has a B of its own. sm_80 has products of 8 rows alone.
#include "micro_common.cuh"

constexpr int kBody = 16;  ///< matrix instructions in the unrolled loop body

struct M8n8k4 {
  static constexpr int kA = 1, kB = 1, kC = 2;
  static __device__ __forceinline__ void run(double (&d)[kC], const double (&a)[kA], const double (&b)[kB]) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]));
  }
};
struct M16n8k4 {
  static constexpr int kA = 2, kB = 1, kC = 4;
  static __device__ __forceinline__ void run(double (&d)[kC], const double (&a)[kA], const double (&b)[kB]) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  }
};
struct M16n8k8 {
  static constexpr int kA = 4, kB = 2, kC = 4;
  static __device__ __forceinline__ void run(double (&d)[kC], const double (&a)[kA], const double (&b)[kB]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  }
};
struct M16n8k16 {
  static constexpr int kA = 8, kB = 4, kC = 4;
  static __device__ __forceinline__ void run(double (&d)[kC], const double (&a)[kA], const double (&b)[kB]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
        "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
  }
};

template <typename Mma, int kChains>
__device__ __forceinline__ void products(Interval* out, int iterations) {
  double a[Mma::kA], b[kChains][Mma::kB], d[kChains][Mma::kC];
  for (int i = 0; i < Mma::kA; ++i) a[i] = threadIdx.x + i;
  for (double& x : a) asm volatile("" : "+d"(x));  // registers of its own, even where two values are equal
  for (int c = 0; c < kChains; ++c) {
    for (int i = 0; i < Mma::kB; ++i) b[c][i] = threadIdx.x + 3 * c + i;
    for (int i = 0; i < Mma::kC; ++i) d[c][i] = iterations;
    for (double& x : b[c]) asm volatile("" : "+d"(x));
  }
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {  // the first warms the instruction cache
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int round = 0; round < kBody / kChains; ++round) {
#pragma unroll
        for (int c = 0; c < kChains; ++c) Mma::run(d[c], a, b[c]);
      }
    }
    stop = read_clock();
  }
  double sum = 0;
  for (int c = 0; c < kChains; ++c)
    for (int i = 0; i < Mma::kC; ++i) sum += d[c][i];
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * (kBody / kChains * kChains),
         static_cast<std::uint32_t>(__double2loint(sum)));
}

#define DOUBLE(shape, Mma, chains)                                                              \
  extern "C" __global__ void micro_mma_##shape##_f64_c##chains(Interval* out, int iterations) { \
    products<Mma, chains>(out, iterations);                                                     \
  }
#define CHAINS(shape, Mma) DOUBLE(shape, Mma, 1) DOUBLE(shape, Mma, 2) DOUBLE(shape, Mma, 4)
CHAINS(m8n8k4, M8n8k4)
#if __CUDA_ARCH__ >= 900
CHAINS(m16n8k4, M16n8k4)
CHAINS(m16n8k8, M16n8k8)
CHAINS(m16n8k16, M16n8k16)
#endif
