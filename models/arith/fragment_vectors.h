// SPDX-License-Identifier: Apache-2.0
// Vectors of 4, 8 or 16 words for fragment_dot, as extensions of GCC and Clang. Each source that includes this is
// compiled for one kind of processor and names it by a type of its own, `Cpu`, so that no two share a function:
//   kWords, kGroups        words of a vector; vectors of rows that are worked on at the same time
//   broadcast(p)           16 bytes of memory in every quad of words
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

namespace stc::arith::fragment {

#define STC_LANES [[gnu::always_inline]] static inline

/// Of so many bytes: floats, words, halves.
template <int kBytes>
struct VectorTypes;
#define STC_VECTOR_TYPES(bytes)                                 \
  template <>                                                   \
  struct VectorTypes<bytes> {                                   \
    using F = float __attribute__((vector_size(bytes)));        \
    using I = std::int32_t __attribute__((vector_size(bytes))); \
    using H = std::int16_t __attribute__((vector_size(bytes))); \
  }
STC_VECTOR_TYPES(16);
STC_VECTOR_TYPES(32);
STC_VECTOR_TYPES(64);
#undef STC_VECTOR_TYPES

template <class Cpu>
struct Vectors {
  static constexpr int kWords = Cpu::kWords;
  static constexpr int kRows = kWords / 4;  ///< of a matrix: a quad of words is of one row
  using F = typename VectorTypes<4 * kWords>::F;
  using I = typename VectorTypes<4 * kWords>::I;
  using H = typename VectorTypes<4 * kWords>::H;

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
  /// 2^e; e from -126 to 127.
  STC_LANES F power(I e) { return as<F>((e + 127) << 23); }
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
