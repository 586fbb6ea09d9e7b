// SPDX-License-Identifier: Apache-2.0
// Functions of two 64-bit words, compiled for the GPU by sample_exec_lanes.cu and for the host by the test that runs
// those kernels in the simulator: both must give the same word. The host's answer is the independent reference.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define SAMPLE_FUNCTION __host__ __device__
#define SAMPLE_NOINLINE __noinline__
#else
#define SAMPLE_FUNCTION inline
#define SAMPLE_NOINLINE __attribute__((noinline))
#endif

namespace sample {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

SAMPLE_FUNCTION float float_of(u64 v) {
  float f;
  const u32 bits = static_cast<u32>(v);
  memcpy(&f, &bits, 4);
  return f;
}
SAMPLE_FUNCTION double double_of(u64 v) {
  double d;
  memcpy(&d, &v, 8);
  return d;
}
/// Result words; every NaN counts as one value, since payloads differ between processors.
SAMPLE_FUNCTION u64 word_of(float f) {
  u32 bits;
  memcpy(&bits, &f, 4);
  return f != f ? 0x7fffffffu : bits;
}
SAMPLE_FUNCTION u64 word_of(double d) {
  u64 bits;
  memcpy(&bits, &d, 8);
  return d != d ? 0x7fffffffffffffffull : bits;
}
SAMPLE_FUNCTION u64 mix(u64 a, u64 b) { return a * 0x9e3779b97f4a7c15ull + (b ^ (a >> 29)); }

// --- integer ---
SAMPLE_FUNCTION u64 divide_u64(u64 a, u64 b) { return mix(a / (b | 1), a % (b | 1)); }
SAMPLE_FUNCTION u64 divide_s64(u64 a, u64 b) {
  const s64 n = static_cast<s64>(a >> 1), d = static_cast<s64>(b | 1) >> (a & 31);
  const s64 divisor = d == 0 ? 3 : d;
  return mix(static_cast<u64>(n / divisor), static_cast<u64>(n % divisor));
}
SAMPLE_FUNCTION u64 divide_32(u64 a, u64 b) {
  const u32 n = static_cast<u32>(a), d = static_cast<u32>(b >> (a >> 60)) | 1u;
  const s32 sn = static_cast<s32>(a >> 33), sd = static_cast<s32>(b) | 1;
  return mix((u64{n / d} << 32) | (n % d), (u64{static_cast<u32>(sn / sd)} << 32) | static_cast<u32>(sn % sd));
}
SAMPLE_FUNCTION u64 divide_by_constants(u64 a, u64 b) {
  return a / 7 + b % 1000003 + static_cast<u64>(static_cast<s64>(a) / 12) + static_cast<u32>(b) / 641u;
}
SAMPLE_FUNCTION u64 multiply_128(u64 a, u64 b) {
  const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
  const __int128 s = static_cast<__int128>(static_cast<s64>(a)) * static_cast<s64>(b);
  return mix(static_cast<u64>(p >> 64) ^ static_cast<u64>(p), static_cast<u64>(s >> 64));
}
SAMPLE_FUNCTION u64 carry_chain(u64 a, u64 b) {
  const unsigned __int128 x = (static_cast<unsigned __int128>(a) << 64) | b;
  const unsigned __int128 y = (static_cast<unsigned __int128>(b) << 61) | (a >> 3);
  const unsigned __int128 sum = x + y, difference = x - y, third = sum - (difference << 7);
  return mix(static_cast<u64>(sum >> 64) + static_cast<u64>(third), static_cast<u64>(difference >> 64)) +
         (x < y ? 1u : 2u) + (static_cast<__int128>(difference) < static_cast<__int128>(y) ? 4u : 8u);
}
SAMPLE_FUNCTION u64 shifts(u64 a, u64 b) {
  const unsigned n = static_cast<unsigned>(b & 63), m = n & 31;
  const u64 rotated = (a << n) | (a >> ((64 - n) & 63));
  const u32 w = static_cast<u32>(a);
  const u32 rotated32 = (w << m) | (w >> ((32 - m) & 31));
  return mix(rotated ^ (a << n) ^ (a >> (63 - n)), static_cast<u64>(static_cast<s64>(a) >> n)) + rotated32 +
         static_cast<u32>(static_cast<s32>(w) >> m);
}
SAMPLE_FUNCTION u64 bit_counts(u64 a, u64 b) {
#ifdef __CUDA_ARCH__
  const int leading = __clzll(static_cast<s64>(a | 1)), ones = __popcll(b), first = __ffsll(static_cast<s64>(b));
  const u32 reversed = __brev(static_cast<u32>(a));
  const int leading32 = __clz(static_cast<s32>(b));
#else
  const int leading = __builtin_clzll(a | 1), ones = __builtin_popcountll(b),
            first = __builtin_ffsll(static_cast<s64>(b));
  u32 reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= static_cast<u32>((a >> i) & 1) << (31 - i);
  const int leading32 = static_cast<u32>(b) == 0 ? 32 : __builtin_clz(static_cast<u32>(b));
#endif
  return (u64{reversed} << 32) + static_cast<u64>(leading * 1000000 + ones * 10000 + first * 100 + leading32);
}
SAMPLE_FUNCTION u64 narrow_types(u64 a, u64 b) {
  const s64 sum = static_cast<std::int8_t>(a) + static_cast<std::int16_t>(b >> 8) + static_cast<std::uint8_t>(a >> 24) -
                  static_cast<std::int8_t>(b >> 40);
  return static_cast<u64>(sum) * static_cast<std::uint16_t>(a >> 16);
}
SAMPLE_FUNCTION u64 bit_fields(u64 a, u64 b) {
  const unsigned position = static_cast<unsigned>(b & 15), width = 1 + static_cast<unsigned>((b >> 8) & 15);
  const u32 w = static_cast<u32>(a);
  const u32 field = (w >> position) & ((1u << width) - 1);
  const s32 extended = static_cast<s32>(w << (32 - position - width)) >> (32 - width);
  const u32 bytes = (w & 0xffu) << 24 | (w >> 24) | ((w >> 8) & 0xffu) << 16 | ((w >> 16) & 0xffu) << 8;
  return (u64{field} << 40) + static_cast<u64>(static_cast<s64>(extended)) + bytes;
}
SAMPLE_FUNCTION u64 comparisons(u64 a, u64 b) {
  const s64 x = static_cast<s64>(a), y = static_cast<s64>(b);
  u64 r = (a < b) | (a <= b) << 1 | (x < y) << 2 | (x > y) << 3 | (a == b) << 4 | (x >= y) << 5;
  r += static_cast<u64>(x < y ? x : y) + (a > b ? a : b) * 3;
  const s32 p = static_cast<s32>(a), q = static_cast<s32>(b);
  return r + static_cast<u32>(p < q ? p : q) +
         u64{static_cast<u32>(a) > static_cast<u32>(b) ? static_cast<u32>(a) : 7u} +
         static_cast<u64>(p < 0 ? -static_cast<s64>(p) : p);
}

// --- control flow ---
SAMPLE_FUNCTION u64 collatz(u64 a, u64 b) {
  u64 n = (a ^ b) % 1000 + 1;
  u64 steps = 0;
  while (n != 1) {
    n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
SAMPLE_FUNCTION u64 nested_loops(u64 a, u64 b) {
  u64 r = 0;
  const unsigned outer = static_cast<unsigned>(a % 7), limit = static_cast<unsigned>(b % 11);
  for (unsigned i = 0; i < outer; ++i) {
    if ((a >> i & 3) == 2) continue;
    for (unsigned j = 0; j < limit; ++j) {
      if ((b >> j & 7) == 5) break;
      if ((a + j) % 13 == 4) return r * 3 + 1;
      r += (i + 1) * (j + 7) ^ (r << 3);
    }
    if (r % 17 == 3)
      r ^= b;
    else if (r % 5 == 1)
      r += a;
  }
  return r;
}
SAMPLE_FUNCTION u64 switch_cases(u64 a, u64 b) {
  u64 r = a;
  for (int i = 0; i < 6; ++i) {
    switch ((b >> (4 * i)) % 12) {
      case 0: r += b; break;
      case 1: r ^= b >> 3; break;
      case 2: r *= 7; break;
      case 3: r = r / 3 + 1; break;
      case 4: r = ~r; break;
      case 5: r -= a; [[fallthrough]];
      case 6: r += 11; break;
      case 7: return r;
      case 8: r = (r << 5) | (r >> 59); break;
      case 9: r &= 0x00ff00ff00ff00ffull; break;
      default: r += static_cast<u64>(i);
    }
  }
  return r;
}
SAMPLE_FUNCTION SAMPLE_NOINLINE u64 ackermann_like(u64 m, u64 n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann_like(m - 1, 1);
  return ackermann_like(m - 1, ackermann_like(m, n - 1));
}
SAMPLE_FUNCTION u64 recursion(u64 a, u64 b) { return ackermann_like(a % 3, b % 4); }
SAMPLE_FUNCTION u64 local_array(u64 a, u64 b) {
  u32 values[24];
  for (u32 i = 0; i < 24; ++i) values[i] = static_cast<u32>(a >> i) * (i + 1);
  for (u32 i = 0; i < 40; ++i) {
    const u32 from = static_cast<u32>((b >> i) % 24), to = static_cast<u32>((a >> i) % 24);
    values[to] += values[from] ^ i;
  }
  u64 sum = 0;
  for (u32 i = 0; i < 24; ++i) sum = sum * 31 + values[i];
  return sum;
}

// --- floating point: compiled without contraction on both sides ---
SAMPLE_FUNCTION u64 float_arithmetic(u64 a, u64 b) {
  const float x = float_of(a), y = float_of(b), z = float_of(a >> 32);
  return mix(word_of(x + y) + (word_of(x * y) << 13), word_of(fmaf(x, y, z)) ^ (word_of(x - z) << 21));
}
SAMPLE_FUNCTION u64 float_division(u64 a, u64 b) {
  const float x = float_of(a), y = float_of(b);
  return word_of(x / y) << 32 | word_of(sqrtf(fabsf(y)));
}
SAMPLE_FUNCTION u64 float_reciprocal(u64 a, u64) { return word_of(1.0f / float_of(a)); }
SAMPLE_FUNCTION u64 float_compare(u64 a, u64 b) {
  const float x = float_of(a), y = float_of(b);
  u64 r = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | (x >= y) << 5;
  r |= u64{std::isnan(x)} << 6 | u64{std::isinf(y)} << 7 | u64{!(x < y)} << 8 | u64{!(x > y)} << 9;
  return r << 32 | word_of((x < y || y != y ? x : y) + (x == y ? 1.0f : 0.0f));
}
SAMPLE_FUNCTION u64 float_rounding(u64 a, u64) {
  const float x = float_of(a);
  return mix(word_of(floorf(x)) ^ word_of(ceilf(x)) << 17, word_of(truncf(x)) ^ word_of(rintf(x)) << 32);
}
SAMPLE_FUNCTION u64 float_to_integer(u64 a, u64 b) {
  const float x = static_cast<float>(static_cast<s32>(a)) * 0.001f, y = static_cast<float>(b) * 0.5f;
  const double z = static_cast<double>(static_cast<s64>(a)) * 0.25;
  return static_cast<u64>(static_cast<s64>(static_cast<s32>(x))) + static_cast<u64>(y) +
         static_cast<u64>(static_cast<s64>(z)) + static_cast<u32>(fabsf(x));
}
SAMPLE_FUNCTION u64 integer_to_float(u64 a, u64 b) {
  const float x = static_cast<float>(static_cast<s32>(a)), y = static_cast<float>(static_cast<u32>(b));
  const float z = static_cast<float>(a), w = static_cast<float>(static_cast<s64>(b));
  return mix(word_of(x) << 32 | word_of(y), word_of(z) << 32 | word_of(w)) +
         word_of(static_cast<double>(static_cast<s64>(a))) * 3 + word_of(static_cast<double>(b)) +
         word_of(static_cast<float>(static_cast<std::int8_t>(a >> 8)));
}
SAMPLE_FUNCTION u64 double_arithmetic(u64 a, u64 b) {
  const double x = double_of(a), y = double_of(b);
  return mix(word_of(x + y), word_of(x * y)) + word_of(fma(x, y, -x)) + (x < y ? 1u : 0u) + (x >= y ? 2u : 0u);
}
SAMPLE_FUNCTION u64 double_division(u64 a, u64 b) {
  const double x = double_of(a), y = double_of(b);
  return mix(word_of(x / y), word_of(sqrt(fabs(y))));
}
SAMPLE_FUNCTION u64 double_conversion(u64 a, u64 b) {
  const double x = double_of(a);
  return word_of(static_cast<float>(x)) << 32 | word_of(static_cast<float>(static_cast<double>(float_of(b)) * 0.1));
}

}  // namespace sample

/// X(name) for every function above that is a kernel of its own.
// Formatting never settles on this list.
// clang-format off
#define SAMPLE_EXEC_FUNCTIONS(X) \
  X(divide_u64)                  \
  X(divide_s64)                  \
  X(divide_32)                   \
  X(divide_by_constants)         \
  X(multiply_128)                \
  X(carry_chain)                 \
  X(shifts)                      \
  X(bit_counts)                  \
  X(narrow_types)                \
  X(bit_fields)                  \
  X(comparisons)                 \
  X(collatz)                     \
  X(nested_loops)                \
  X(switch_cases)                \
  X(recursion)                   \
  X(local_array)                 \
  X(float_arithmetic)            \
  X(float_division)              \
  X(float_reciprocal)            \
  X(float_compare)               \
  X(float_rounding)              \
  X(float_to_integer)            \
  X(integer_to_float)            \
  X(double_arithmetic)           \
  X(double_division)             \
  X(double_conversion)
// clang-format on
