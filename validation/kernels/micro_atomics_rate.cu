// SPDX-License-Identifier: Apache-2.0
// How many atomics an SM, and all SMs together, get through: 32 lanes of each warp, no instruction waits for another.
//   micro_rate_<what>(Interval* out, uint8* data, int lane_bytes, int warp_bytes, int cta_bytes, int count)
//   lane_bytes: between the addresses of two lanes, 0: all at one; warp_bytes, cta_bytes: between those of two warps of
//   a CTA and of two CTAs. "red": no value returned; "atom": with value, four on their way.
#include "micro_common.cuh"

#define RATE_KERNEL(what, statement)                                                                              \
  extern "C" __global__ void micro_rate_##what(Interval* out, std::uint8_t* data, int lane_bytes, int warp_bytes, \
                                               int cta_bytes, int count) {                                        \
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;                                                   \
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(data) + lane * lane_bytes + warp * warp_bytes + \
                                  static_cast<std::uint64_t>(blockIdx.x) * cta_bytes;                             \
    std::uint32_t keep = 0;                                                                                       \
    const std::uint64_t start = read_clock();                                                                     \
    _Pragma("unroll 1") for (int i = 0; i < count; i += 4) {                                                      \
      _Pragma("unroll") for (int k = 0; k < 4; ++k) { statement; }                                                \
    }                                                                                                             \
    const std::uint64_t stop = read_clock();                                                                      \
    report(out, start, stop, static_cast<std::uint64_t>(count), keep);                                            \
  }

/// red and atom of one operation and type; `constraint` names the register class.
#define RATE(what, operation, type, constraint, value_type, value)                                                 \
  RATE_KERNEL(red_##what, asm volatile("red.global." operation "." type " [%0], %1;" ::"l"(address),               \
                                       constraint(static_cast<value_type>(value))                                  \
                                       : "memory"))                                                                \
  RATE_KERNEL(atom_##what, value_type old; asm volatile("atom.global." operation "." type " %0, [%1], %2;"         \
                                                        : "=" constraint(old)                                      \
                                                        : "l"(address), constraint(static_cast<value_type>(value)) \
                                                        : "memory");                                               \
              keep |= static_cast<std::uint32_t>(old) & 0x80000000u)

RATE(add_u32, "add", "u32", "r", std::uint32_t, 3)
RATE(max_s32, "max", "s32", "r", std::int32_t, i)
RATE(add_u64, "add", "u64", "l", std::uint64_t, 3)
RATE(max_u64, "max", "u64", "l", std::uint64_t, i)
RATE(add_f32, "add", "f32", "f", float, 1)
RATE(add_f64, "add", "f64", "d", double, 1)
RATE(add_f16x2, "add.noftz", "f16x2", "r", std::uint32_t, 0x3C003C00u)

#define RATE_CAS(what, type, constraint, value_type)                                                          \
  RATE_KERNEL(cas_##what, value_type old; asm volatile("atom.global.cas." type " %0, [%1], %2, %2;"           \
                                                       : "=" constraint(old)                                  \
                                                       : "l"(address), constraint(static_cast<value_type>(5)) \
                                                       : "memory");                                           \
              keep |= static_cast<std::uint32_t>(old) & 0x80000000u)
RATE_CAS(b32, "b32", "r", std::uint32_t)
RATE_CAS(b64, "b64", "l", std::uint64_t)
