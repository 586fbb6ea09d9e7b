// SPDX-License-Identifier: Apache-2.0
// Atomics on vectors and on 128 bits (sm_90): how many an SM, and all SMs together, get through, as
// micro_atomics_rate.cu has them of words.
//   micro_vector_<what>(Interval* out, uint8* data, int lane_bytes, int warp_bytes, int cta_bytes, int count)
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

#define VECTOR_KERNEL(what, statement)                                                                              \
  extern "C" __global__ void micro_vector_##what(Interval* out, std::uint8_t* data, int lane_bytes, int warp_bytes, \
                                                 int cta_bytes, int count) {                                        \
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;                                                     \
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(data) + lane * lane_bytes + warp * warp_bytes +   \
                                  static_cast<std::uint64_t>(blockIdx.x) * cta_bytes;                               \
    [[maybe_unused]] const std::uint32_t value = 0x3C003C00u;                                                       \
    std::uint32_t a = 0, b = 0, c = 0, d = 0;                                                                       \
    std::uint64_t p = 0, q = 0;                                                                                     \
    std::uint32_t keep = 0;                                                                                         \
    const std::uint64_t start = read_clock();                                                                       \
    _Pragma("unroll 1") for (int i = 0; i < count; i += 4) {                                                        \
      _Pragma("unroll") for (int k = 0; k < 4; ++k) {                                                               \
        statement;                                                                                                  \
        keep |= (a ^ b ^ c ^ d ^ static_cast<std::uint32_t>(p ^ q)) & 0x80000000u;                                  \
      }                                                                                                             \
    }                                                                                                               \
    const std::uint64_t stop = read_clock();                                                                        \
    report(out, start, stop, static_cast<std::uint64_t>(count), keep);                                              \
  }

#define TWO(what, type)                                                                                      \
  VECTOR_KERNEL(red_##what, asm volatile("red.global.add" type " [%0], {%1, %1};" ::"l"(address), "r"(value) \
                                         : "memory"))                                                        \
  VECTOR_KERNEL(atom_##what, asm volatile("atom.global.add" type " {%0, %1}, [%2], {%3, %3};"                \
                                          : "=r"(a), "=r"(b)                                                 \
                                          : "l"(address), "r"(value)                                         \
                                          : "memory"))
#define FOUR(what, type)                                                                                             \
  VECTOR_KERNEL(red_##what, asm volatile("red.global.add" type " [%0], {%1, %1, %1, %1};" ::"l"(address), "r"(value) \
                                         : "memory"))                                                                \
  VECTOR_KERNEL(atom_##what, asm volatile("atom.global.add" type " {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};"        \
                                          : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                       \
                                          : "l"(address), "r"(value)                                                 \
                                          : "memory"))
TWO(f16x2_v2, ".noftz.v2.f16x2")
FOUR(f16x2_v4, ".noftz.v4.f16x2")
TWO(bf16x2_v2, ".noftz.v2.bf16x2")

VECTOR_KERNEL(red_f32_v2, asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" ::"l"(address), "f"(1.0f) : "memory"))
VECTOR_KERNEL(red_f32_v4, asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(address), "f"(1.0f)
                                       : "memory"))
VECTOR_KERNEL(
    exch_b128,
    asm volatile("{.reg .b128 v, w; mov.b128 v, {%3, %3}; atom.global.exch.b128 w, [%2], v; mov.b128 {%0, %1}, w;}"
                 : "=l"(p), "=l"(q)
                 : "l"(address), "l"(static_cast<std::uint64_t>(value))
                 : "memory"))
VECTOR_KERNEL(cas_b128, asm volatile("{.reg .b128 u, v, w; mov.b128 u, {%3, %3}; mov.b128 v, {%4, %4}; "
                                     "atom.global.cas.b128 w, [%2], u, v; mov.b128 {%0, %1}, w;}"
                                     : "=l"(p), "=l"(q)
                                     : "l"(address), "l"(std::uint64_t{7}), "l"(static_cast<std::uint64_t>(value))
                                     : "memory"))
#endif
