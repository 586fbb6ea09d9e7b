// SPDX-License-Identifier: Apache-2.0
// Vectors of 4, 8 or 16 words for fragment_dot, as extensions of GCC and Clang. Each source that includes this is
// compiled for one kind of processor and names it by a type of its own, `Cpu`, so that no two share a function:
//   kWords, kGroups        words of a vector; vectors of rows that are worked on at the same time
//   broadcast(p)           16 bytes of memory in every quad of words
//   quads(rows, select, n)  in quad i, 16 bytes: the row that select[i n] names
//   turn(words, rows)      eight columns of eight halves to eight rows
//   repeat(quad)           16 bytes in every quad
//   multiply_add(a, b, c)  a b + c; exact wherever it is asked for
//   kPermutes              whether permute_words and permute_halves are there, of vectors of 16 words
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace stc::arith::fragment {

#define STC_LANES [[gnu::always_inline]] static inline

/// Of so many bytes: floats, words, halves.
template <int kBytes>
struct VectorTypes;
#define STC_VECTOR_TYPES(bytes)                                  \
  template <>                                                    \
  struct VectorTypes<bytes> {                                    \
    using F = float __attribute__((vector_size(bytes)));         \
    using I = std::int32_t __attribute__((vector_size(bytes)));  \
    using H = std::int16_t __attribute__((vector_size(bytes)));  \
    using U = std::uint32_t __attribute__((vector_size(bytes))); \
  }
STC_VECTOR_TYPES(16);
STC_VECTOR_TYPES(32);
STC_VECTOR_TYPES(64);
#undef STC_VECTOR_TYPES

/// Eight columns of eight halves to eight rows, in three steps that each bring together what lies four vectors apart.
STC_LANES void turn_halves(const std::uint32_t* columns, VectorTypes<16>::H (&rows)[8]) {
  VectorTypes<16>::H to[8];
  std::memcpy(rows, columns, sizeof rows);
  for (int step = 0; step < 3; ++step) {
    for (std::ptrdiff_t i = 0; i < 4; ++i) {
      to[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      to[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    std::memcpy(rows, to, sizeof rows);
  }
}

template <class Cpu>
struct Vectors {
  static constexpr int kWords = Cpu::kWords;
  static constexpr int kRows = kWords / 4;  ///< of a matrix: a quad of words is of one row
  using F = typename VectorTypes<4 * kWords>::F;
  using I = typename VectorTypes<4 * kWords>::I;
  using H = typename VectorTypes<4 * kWords>::H;
  using U = typename VectorTypes<4 * kWords>::U;

  template <class V>
  STC_LANES V load(const void* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  template <class V>
  STC_LANES void store(void* p, V v) {
    std::memcpy(p, &v, sizeof v);
  }
  template <class To, class From>
  STC_LANES To as(From v) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &v, sizeof to);
    return to;
  }
  STC_LANES F to_float(I v) { return __builtin_convertvector(v, F); }
  /// Toward zero.
  STC_LANES I to_int(F v) { return __builtin_convertvector(v, I); }
  /// Modulo 2^32.
  STC_LANES I add(I a, I b) { return as<I>(as<U>(a) + as<U>(b)); }
  STC_LANES I subtract(I a, I b) { return as<I>(as<U>(a) - as<U>(b)); }
  STC_LANES I magnitude(I v) { return v < 0 ? subtract(I{}, v) : v; }
  STC_LANES bool any(I v) {
    std::int32_t words[kWords];
    store(words, v);
    std::int32_t all = 0;
    for (const std::int32_t word : words) all |= word;
    return all != 0;
  }

  /// Word `kAt` of each quad in all words of the quad.
  template <int kAt, class V>
  STC_LANES V spread(V v) {
    return spread_words<kAt>(v, std::make_integer_sequence<int, kWords>());
  }
  /// Half `kAt` of each quad in all halves of the quad.
  template <int kAt>
  STC_LANES H spread_half(H v) {
    return spread_halves<kAt>(v, std::make_integer_sequence<int, 2 * kWords>());
  }
  /// The low halves of the words, and the high ones, with their sign.
  STC_LANES I low_halves(H v) { return as<I>(v) << 16 >> 16; }
  STC_LANES I high_halves(H v) { return as<I>(v) >> 16; }

 private:
  template <int kAt, class V, int... kIndex>
  STC_LANES V spread_words(V v, std::integer_sequence<int, kIndex...>) {
    return __builtin_shufflevector(v, v, ((kIndex & ~3) + kAt)...);
  }
  template <int kAt, int... kIndex>
  STC_LANES H spread_halves(H v, std::integer_sequence<int, kIndex...>) {
    return __builtin_shufflevector(v, v, ((kIndex & ~7) + kAt)...);
  }
};

}  // namespace stc::arith::fragment
