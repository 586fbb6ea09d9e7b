// SPDX-License-Identifier: Apache-2.0
// Arithmetic pipes: rate over warps and independent chains, latency with one chain.
//   micro_<op>_c<chains>(Interval* out, int iterations)
// micro_mix_<a>_<b>: two kinds of instruction alternate, four chains of each, to see which pipes they share;
// operations count both.
#include "micro_common.cuh"
#include "probe_asm.cuh"

constexpr int kBody = 64;  ///< instructions in the unrolled loop body

struct Lane {
  std::uint32_t x;
  std::uint64_t wide;
};

struct Iadd3 {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("{ .reg .u32 t; sub.s32 t, %1, %0; add.s32 %0, t, %2; }" : "+r"(v.x) : "r"(y), "r"(z));
  }
};
struct Lop3 {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0xE8;" : "+r"(v.x) : "r"(y), "r"(z));
  }
};
struct Shf {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t) {
    asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(v.x) : "r"(y));
  }
};
struct Prmt {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t) {
    asm volatile("prmt.b32 %0, %0, %1, 0x5410;" : "+r"(v.x) : "r"(y));
  }
};
struct Imad {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(v.x) : "r"(y), "r"(z));
  }
};
struct ImadWide {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("{ .reg .u32 t; .reg .u64 w; cvt.u32.u64 t, %0; mov.b64 w, {%2, %1}; mad.wide.u32 %0, t, %1, w; }"
                 : "+l"(v.wide)
                 : "r"(y), "r"(z));
  }
};
struct Ffma {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+r"(v.x) : "r"(y), "r"(z));
  }
};
struct Fadd {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t) {
    asm volatile("add.rn.f32 %0, %0, %1;" : "+r"(v.x) : "r"(y));
  }
};
struct Hfma2 {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t z) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(v.x) : "r"(y), "r"(z));
  }
};
struct Mufu {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t, std::uint32_t) {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+r"(v.x));
  }
};
struct Shfl {
  static __device__ __forceinline__ void run(Lane& v, std::uint32_t y, std::uint32_t) {
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(v.x) : "r"(y));
  }
};

/// One chain set per kind; `Second` runs after each `First` when the kinds differ.
template <typename First, typename Second, int kChains, bool kMix>
__device__ __forceinline__ void pipe(Interval* out, int iterations) {
  Lane first[kChains], second[kChains];
  for (int c = 0; c < kChains; ++c) {
    first[c].x = second[c].x = threadIdx.x + c;
    first[c].wide = second[c].wide = threadIdx.x + c;
    asm volatile("" : "+r"(first[c].x), "+r"(second[c].x), "+l"(first[c].wide), "+l"(second[c].wide));
  }
  std::uint32_t y = threadIdx.x * 3 + static_cast<std::uint32_t>(iterations), z = threadIdx.x ^ 5u;
  asm volatile("" : "+r"(y), "+r"(z));
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int u = 0; u < kBody / kChains / (kMix ? 2 : 1); ++u) {
#pragma unroll
        for (int c = 0; c < kChains; ++c) {
          First::run(first[c], y, z);
          if constexpr (kMix) Second::run(second[c], y, z);
        }
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int c = 0; c < kChains; ++c)
    keep ^= first[c].x ^ second[c].x ^ static_cast<std::uint32_t>(first[c].wide ^ second[c].wide);
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kBody, keep);
}

#define PIPE(name, type)                                                        \
  extern "C" __global__ void micro_##name##_c1(Interval* out, int iterations) { \
    pipe<type, type, 1, false>(out, iterations);                                \
  }                                                                             \
  extern "C" __global__ void micro_##name##_c2(Interval* out, int iterations) { \
    pipe<type, type, 2, false>(out, iterations);                                \
  }                                                                             \
  extern "C" __global__ void micro_##name##_c4(Interval* out, int iterations) { \
    pipe<type, type, 4, false>(out, iterations);                                \
  }                                                                             \
  extern "C" __global__ void micro_##name##_c8(Interval* out, int iterations) { \
    pipe<type, type, 8, false>(out, iterations);                                \
  }
PIPE(iadd3, Iadd3)
PIPE(lop3, Lop3)
PIPE(shf, Shf)
PIPE(prmt, Prmt)
PIPE(imad, Imad)
PIPE(imad_wide, ImadWide)
PIPE(ffma, Ffma)
PIPE(fadd, Fadd)
PIPE(hfma2, Hfma2)
PIPE(mufu, Mufu)
PIPE(shfl, Shfl)

#define MIX(name, a, b) \
  extern "C" __global__ void micro_mix_##name(Interval* out, int iterations) { pipe<a, b, 4, true>(out, iterations); }
MIX(iadd3_imad, Iadd3, Imad)
MIX(iadd3_ffma, Iadd3, Ffma)
MIX(imad_ffma, Imad, Ffma)
MIX(iadd3_lop3, Iadd3, Lop3)
MIX(ffma_hfma2, Ffma, Hfma2)
MIX(imad_hfma2, Imad, Hfma2)

/// Four chains of HMMA.16816.F32, each instruction followed by one of another pipe.
template <typename Other>
__device__ __forceinline__ void mma_and(Interval* out, int iterations) {
  std::uint32_t a[4], b[2], d[4][4];
  Lane other[4];
  for (int i = 0; i < 4; ++i) a[i] = (threadIdx.x + i) & 0x03FF03FFu;
  for (int i = 0; i < 2; ++i) b[i] = (threadIdx.x + i + 8) & 0x03FF03FFu;
  for (int c = 0; c < 4; ++c) {
    for (int i = 0; i < 4; ++i) d[c][i] = threadIdx.x & 255;
    other[c].x = threadIdx.x + c;
    other[c].wide = threadIdx.x;
  }
  std::uint32_t y = threadIdx.x * 3 + static_cast<std::uint32_t>(iterations), z = threadIdx.x ^ 5u;
  asm volatile("" : "+r"(y), "+r"(z));
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int u = 0; u < kBody / 8; ++u) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d[c], a, b);
          Other::run(other[c], y, z);
        }
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int c = 0; c < 4; ++c) keep ^= d[c][0] ^ d[c][1] ^ d[c][2] ^ d[c][3] ^ other[c].x;
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kBody, keep);
}

#define MMA_AND(name, type) \
  extern "C" __global__ void micro_mix_mma_##name(Interval* out, int iterations) { mma_and<type>(out, iterations); }
MMA_AND(iadd3, Iadd3)
MMA_AND(imad, Imad)
MMA_AND(ffma, Ffma)
MMA_AND(hfma2, Hfma2)
