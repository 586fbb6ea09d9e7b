// SPDX-License-Identifier: Apache-2.0
// Loops that keep one part of a GPU busy for as long as asked, to find what an event of it costs in joules. Every
// kernel is energy_NAME(data, iterations, lanes, flip, span_kib):
//
//   data        operands: what the registers and memories hold while the loop runs (zeros or random values)
//   iterations  passes of the loop; all else that a launch does does not depend on it
//   lanes       lanes of each warp that take part
//   flip        is xored to an operand after each pass, so that sums do not grow: a sign bit, or nothing
//   span_kib    KiB that loads and stores go over, a power of two: it decides which level serves them
//
// Nobody reads a result. Operands differ from one instruction to the next, as they do in a GEMM.
#include "micro_common.cuh"
#include "probe_asm.cuh"

#define STC_ENERGY(name)                            \
  extern "C" __global__ void __launch_bounds__(512) \
      energy_##name(std::uint32_t* data, int iterations, int lanes, std::uint32_t flip, int span_kib)

namespace {

constexpr int kOperands = 64;  ///< words of a thread's own

__device__ __forceinline__ bool idles(int lanes) { return static_cast<int>(threadIdx.x % 32) >= lanes; }

/// Operand `i` of this thread. Every instruction that uses it must read a register.
__device__ __forceinline__ std::uint32_t operand(const std::uint32_t* data, int i) {
  std::uint32_t value = data[(blockIdx.x * blockDim.x + threadIdx.x) * kOperands + i];
  asm volatile("" : "+r"(value));
  return value;
}

/// Stores what must not be optimised away; the host never asks for this many lanes.
__device__ __forceinline__ void keep(std::uint32_t* data, std::uint32_t value, int lanes) {
  if (lanes == 33) data[threadIdx.x] = value;
}

/// A word of 2:4 metadata: in each nibble two different places of four, in order.
__device__ __forceinline__ std::uint32_t metadata(std::uint32_t random) {
  std::uint32_t word = 0;
  for (int i = 0; i < 32; i += 4) word |= (0xED9C84u >> 4 * ((random >> i & 15) % 6) & 15) << i;
  return word;
}

}  // namespace

// ---- SMs that hold warps and do next to nothing ----

STC_ENERGY(sleep) {
  if (idles(lanes)) return;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) asm volatile("nanosleep.u32 2000;");
}

// ---- arithmetic: 8 chains, 32 instructions a pass ----

#define STC_ENERGY_PIPE(name, ...)                                                 \
  STC_ENERGY(name) {                                                               \
    if (idles(lanes)) return;                                                      \
    std::uint32_t d[8], a[4], b[8];                                                \
    for (int i = 0; i < 8; ++i) d[i] = 0, b[i] = operand(data, i);                 \
    for (int i = 0; i < 4; ++i) a[i] = operand(data, 8 + i);                       \
    _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                     \
      _Pragma("unroll") for (int r = 0; r < 4; ++r) {                              \
        _Pragma("unroll") for (int c = 0; c < 8; ++c) {                            \
          asm volatile(__VA_ARGS__ : "+r"(d[c]) : "r"(a[r]), "r"(b[(c + r) % 8])); \
        }                                                                          \
      }                                                                            \
      for (int r = 0; r < 4; ++r) a[r] ^= flip;                                    \
    }                                                                              \
    std::uint32_t all = 0;                                                         \
    for (int i = 0; i < 8; ++i) all ^= d[i];                                       \
    keep(data, all, lanes);                                                        \
  }

STC_ENERGY_PIPE(ffma,
                "{.reg .f32 x, y, z; mov.b32 x, %0; mov.b32 y, %1; mov.b32 z, %2; fma.rn.f32 x, y, z, x; "
                "mov.b32 %0, x;}")
STC_ENERGY_PIPE(imad, "mad.lo.u32 %0, %1, %2, %0;")
STC_ENERGY_PIPE(iadd, "{.reg .u32 x; add.u32 x, %1, %2; add.u32 %0, %0, x;}")
STC_ENERGY_PIPE(lop, "lop3.b32 %0, %0, %1, %2, 0x96;")

// ---- matrix instructions: 8 accumulators, 4 A, 8 B, 32 instructions a pass ----

#define STC_ENERGY_MMA(name, na, nb, nc, STATEMENT)                          \
  STC_ENERGY(name) {                                                         \
    std::uint32_t a[4][na], b[8][nb], d[8][nc];                              \
    [[maybe_unused]] std::uint32_t e[4];                                     \
    for (int r = 0; r < 4; ++r) {                                            \
      for (int i = 0; i < na; ++i) a[r][i] = operand(data, r * na + i);      \
      e[r] = metadata(operand(data, 16 + r));                                \
    }                                                                        \
    for (int c = 0; c < 8; ++c) {                                            \
      for (int i = 0; i < nb; ++i) b[c][i] = operand(data, 20 + c * nb + i); \
      for (int i = 0; i < nc; ++i) d[c][i] = 0;                              \
    }                                                                        \
    _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {               \
      _Pragma("unroll") for (int r = 0; r < 4; ++r) {                        \
        _Pragma("unroll") for (int c = 0; c < 8; ++c) {                      \
          std::uint32_t(&rb)[nb] = b[(c + r) % 8];                           \
          STATEMENT;                                                         \
        }                                                                    \
      }                                                                      \
      for (int r = 0; r < 4; ++r)                                            \
        for (int j = 0; j < na; ++j) a[r][j] ^= flip;                        \
    }                                                                        \
    std::uint32_t all = 0;                                                   \
    for (int c = 0; c < 8; ++c)                                              \
      for (int i = 0; i < nc; ++i) all ^= d[c][i];                           \
    keep(data, all, lanes);                                                  \
  }

#define STC_DENSE(d, a, b, c, shape) STC_DENSE_PTX(shape, plain, d, a, b, c)
#define STC_SPARSE(d, a, b, c, shape) STC_SPARSE_PTX(shape, plain, d, a, b, c)

STC_ENERGY_MMA(mma_f16, 4, 2, 4, STC_MMA_424(STC_DENSE(f32, f16, f16, f32, m16n8k16), d[c], a[r], rb))
STC_ENERGY_MMA(mma_f16_k8, 2, 1, 4, STC_MMA_214(STC_DENSE(f32, f16, f16, f32, m16n8k8), d[c], a[r], rb))
STC_ENERGY_MMA(mma_bf16, 4, 2, 4, STC_MMA_424(STC_DENSE(f32, bf16, bf16, f32, m16n8k16), d[c], a[r], rb))
STC_ENERGY_MMA(mma_s8, 4, 2, 4, STC_MMA_424(STC_DENSE(s32, s8, s8, s32, m16n8k32), d[c], a[r], rb))
STC_ENERGY_MMA(mma_tf32, 4, 2, 4, STC_MMA_424(STC_DENSE(f32, tf32, tf32, f32, m16n8k8), d[c], a[r], rb))
STC_ENERGY_MMA(sp_f16, 4, 4, 4, STC_MMA_SP_444(STC_SPARSE(f32, f16, f16, f32, m16n8k32), d[c], a[r], rb, e[r], 0))
STC_ENERGY_MMA(sp_bf16, 4, 4, 4, STC_MMA_SP_444(STC_SPARSE(f32, bf16, bf16, f32, m16n8k32), d[c], a[r], rb, e[r], 0))
STC_ENERGY_MMA(sp_s8, 4, 4, 4, STC_MMA_SP_444(STC_SPARSE(s32, s8, s8, s32, m16n8k64), d[c], a[r], rb, e[r], 0))

// ---- shared memory: 32 KiB of operands, 16 instructions a pass ----

constexpr int kSharedWords = 8192;

#define STC_ENERGY_SHARED(name, STATEMENT)                                                                  \
  STC_ENERGY(name) {                                                                                        \
    __shared__ __align__(128) std::uint32_t shared[kSharedWords];                                           \
    for (int i = static_cast<int>(threadIdx.x); i < kSharedWords; i += static_cast<int>(blockDim.x))        \
      shared[i] = data[i];                                                                                  \
    __syncthreads();                                                                                        \
    if (idles(lanes)) return;                                                                               \
    const std::uint32_t base = shared_address(shared);                                                      \
    std::uint32_t at = threadIdx.x * 16 % 8192;                                                             \
    std::uint32_t v[4] = {operand(data, 0), operand(data, 1), operand(data, 2), operand(data, 3)}, all = 0; \
    _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                                              \
      _Pragma("unroll") for (int j = 0; j < 16; ++j) {                                                      \
        const std::uint32_t address = base + at + j * 1024;                                                 \
        STATEMENT;                                                                                          \
      }                                                                                                     \
      at ^= 8192;                                                                                           \
      for (int j = 0; j < 4; ++j) v[j] ^= flip;                                                             \
    }                                                                                                       \
    keep(data, all ^ v[0], lanes);                                                                          \
  }

STC_ENERGY_SHARED(lds_128, {
  std::uint32_t r[4];
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
  all ^= r[0] ^ r[1] ^ r[2] ^ r[3];
})
STC_ENERGY_SHARED(lds_32, {
  std::uint32_t r;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(address - (at & 511) + (at & 511) / 4));
  all ^= r;
})
STC_ENERGY_SHARED(ldsm, {
  std::uint32_t r[4];
  load_matrices(r, address);
  all ^= r[0] ^ r[1] ^ r[2] ^ r[3];
})
STC_ENERGY_SHARED(sts_128, {
  asm volatile("st.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"r"(address), "r"(v[j % 4]), "r"(v[(j + 1) % 4]),
               "r"(v[(j + 2) % 4]), "r"(v[(j + 3) % 4])
               : "memory");
})

// ---- global memory: every warp takes 512 bytes at a time, CTAs deal them out among themselves ----

#define STC_ENERGY_GLOBAL(name, SHARED, BEHIND, STATEMENT)                                                  \
  STC_ENERGY(name) {                                                                                        \
    SHARED;                                                                                                 \
    if (idles(lanes)) return;                                                                               \
    const std::uint64_t mask = (static_cast<std::uint64_t>(span_kib) << 10) - 1;                            \
    const std::uint64_t threads = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;                       \
    std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 16;            \
    std::uint8_t* const base = reinterpret_cast<std::uint8_t*>(data);                                       \
    std::uint32_t v[4] = {operand(data, 0), operand(data, 1), operand(data, 2), operand(data, 3)}, all = 0; \
    _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                                              \
      _Pragma("unroll") for (int j = 0; j < 8; ++j) {                                                       \
        [[maybe_unused]] std::uint8_t* const address = base + ((at + j * threads * 16) & mask);             \
        STATEMENT;                                                                                          \
      }                                                                                                     \
      BEHIND;                                                                                               \
      at += 8 * threads * 16;                                                                               \
      for (int j = 0; j < 4; ++j) v[j] ^= flip;                                                             \
    }                                                                                                       \
    keep(data, all ^ v[0], lanes);                                                                          \
  }

#define STC_ENERGY_LOAD(cache)                                     \
  {                                                                \
    std::uint32_t r[4];                                            \
    asm volatile("ld.global." cache ".v4.u32 {%0,%1,%2,%3}, [%4];" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])  \
                 : "l"(address)                                    \
                 : "memory");                                      \
    all ^= r[0] ^ r[1] ^ r[2] ^ r[3];                              \
  }

STC_ENERGY_GLOBAL(ldg_cg, , , STC_ENERGY_LOAD("cg"))
STC_ENERGY_GLOBAL(stg, , , {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(address), "r"(v[j % 4]), "r"(v[(j + 1) % 4]),
               "r"(v[(j + 2) % 4]), "r"(v[(j + 3) % 4])
               : "memory");
})
STC_ENERGY_GLOBAL(
    ldgsts, __shared__ __align__(128) std::uint32_t shared[kSharedWords],
    {
      asm volatile("cp.async.commit_group; cp.async.wait_group 1;" ::: "memory");
    },
    {
      const std::uint32_t target = shared_address(shared) + threadIdx.x * 16 + j % 4 * 8192;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(address) : "memory");
    })

/// As ldg_cg through the L1, and every CTA reads all of the span.
STC_ENERGY(ldg_ca) {
  if (idles(lanes)) return;
  const std::uint32_t mask = (static_cast<std::uint32_t>(span_kib) << 10) - 1;
  std::uint32_t at = threadIdx.x * 16, all = 0;
  std::uint8_t* const base = reinterpret_cast<std::uint8_t*>(data);
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      std::uint8_t* const address = base + ((at + j * blockDim.x * 16) & mask);
      STC_ENERGY_LOAD("ca")
    }
    at += 8 * blockDim.x * 16;
  }
  keep(data, all ^ flip, lanes);
}

// ---- operands ----

/// Fills `words` words: kind 0 zeros, 1 random bits, 2 and 3 pairs of f16 and bf16 in (-1, 1), 4 f32 in (-1, 1),
/// 5 2:4 metadata, 6 f16 of which one of each pair is zero.
extern "C" __global__ void energy_fill(std::uint32_t* data, unsigned long long words, int kind, std::uint32_t seed) {
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += static_cast<std::uint64_t>(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    x ^= x >> 31;
    const auto low = static_cast<std::uint32_t>(x), high = static_cast<std::uint32_t>(x >> 32);
    const float first = static_cast<int>(low) * 0x1p-31f, second = static_cast<int>(high) * 0x1p-31f;
    std::uint32_t pair = 0;
    switch (kind) {
      case 1: pair = low; break;
      case 2: asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(first), "f"(second)); break;
      case 3: asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(first), "f"(second)); break;
      case 4: pair = __float_as_uint(first); break;
      case 5: pair = metadata(low); break;
      case 6:
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(first), "f"(second));
        pair &= (high & 1) != 0 ? 0xFFFFu : 0xFFFF0000u;
        break;
      default: break;
    }
    data[i] = pair;
  }
}
