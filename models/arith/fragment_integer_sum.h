// SPDX-License-Identifier: Apache-2.0
// What fragment_integers does. Stored elements come in slices of four: slice 4q + i holds the bytes i of register
// words, elements 16q + 4t + i.
#pragma once

#include "models/arith/fragment_integers.h"
#include "models/arith/fragment_vectors.h"

namespace stc::arith::fragment {

template <class Cpu>
struct IntegerSummer {
  using V = Vectors<Cpu>;
  using F = typename V::F;
  using I = typename V::I;
  using Q = VectorTypes<16>::I;
  static constexpr int kTileRows = 16;
  static constexpr std::ptrdiff_t kRegisterWords = 32;
  static constexpr int kGroups = Cpu::kGroups;  ///< vectors of rows that are worked on at the same time

  const FragmentIntegers& dot;
  alignas(64) float a[kMaxIntegerDepth / 4][kTileRows][4];
  alignas(64) float b[2][2 * kMaxIntegerDepth][4];  ///< columns 0, 2, 4, 6, and 1, 3, 5, 7
  /// Of 2:4: which of four rows of B, times four where these are permuted; else the row.
  alignas(64) std::int32_t index[kMaxIntegerDepth / 4][kTileRows][4];

  explicit IntegerSummer(const FragmentIntegers& of) : dot(of) {}  // what is not decoded is not read

  /// Of bytes in words.
  STC_LANES F value(I bytes, bool is_signed) {
    const std::int32_t sign = is_signed ? 0x80 : 0;
    return V::to_float((bytes ^ sign) - sign);
  }
  [[gnu::always_inline]] void decode_a() {
    for (std::ptrdiff_t q = 0; q < dot.depth / 16; ++q) {
      for (std::ptrdiff_t row = 0; row < kTileRows; row += V::kRows) {
        const I x = V::template load<I>(dot.a + (2 * q + row / 8) * kRegisterWords + row % 8 * 4);
        for (int i = 0; i < 4; ++i) V::store(a[4 * q + i][row], value(x >> 8 * i & 0xff, dot.a_signed));
      }
    }
  }
  [[gnu::always_inline]] void decode_b(int rows) {
    for (std::ptrdiff_t k = 0; k < rows; k += 4) {
      for (std::ptrdiff_t odd = 0; odd < 2; ++odd) {
        const std::uint32_t* const words = dot.b + k / 16 * kRegisterWords + odd * 4 + k % 16 / 4;
        Q columns;
        for (std::ptrdiff_t i = 0; i < 4; ++i) columns[i] = static_cast<std::int32_t>(words[8 * i]);
        const I x = Cpu::repeat(columns);
        for (int first = 0; first < 4; first += V::kRows) {
          I shift;
          for (int i = 0; i < V::kWords; ++i) shift[i] = 8 * (first + i / 4);
          V::store(b[odd][k + first], value(x >> shift & 0xff, dot.b_signed));
        }
      }
    }
  }
  [[gnu::always_inline]] void decode_index() {
    I shift;
    for (int i = 0; i < V::kWords; ++i) shift[i] = i % 4 * 8;
    for (int q = 0; q < dot.depth / 16; ++q) {
      for (int row = 0; row < kTileRows; row += V::kRows) {
        I words;
        for (int i = 0; i < V::kWords; ++i) {
          words[i] = static_cast<std::int32_t>(dot.index[(row + i / 4) * (dot.depth / 16) + q]);
        }
        for (int i = 0; i < 4; ++i) {
          const I chosen = words >> shift >> 2 * i & 3;
          // Element 16q + 4t + i selects one of the rows from 32q + 8t + i / 2 * 4 on.
          V::store(index[4 * q + i][row], Cpu::kPermutes ? chosen << 2 : chosen + shift + (32 * q + i / 2 * 4));
        }
      }
    }
  }

  template <bool kSparse, int kAt>
  [[gnu::always_inline]] F values_of_b(int slice, int odd, int row) const {
    const std::ptrdiff_t element = slice / 4 * 16 + kAt * 4 + slice % 4;
    if constexpr (!kSparse) return V::template as<F>(Cpu::broadcast(b[odd][element]));
    if constexpr (Cpu::kPermutes) {
      const I chosen = V::template spread<kAt>(V::template load<I>(index[slice][row]));
      return V::template as<F>(Cpu::permute_words(b[odd][element / 2 * 4], chosen));
    } else {
      return V::template as<F>(Cpu::quads(b[odd], &index[slice][row][kAt], 4));
    }
  }
  template <bool kSparse, int kAt>
  [[gnu::always_inline]] void add_products(int slice, int row, F (&sum)[2][kGroups]) const {
    for (int g = 0; g < kGroups; ++g) {
      const int first = row + g * V::kRows;
      const F of_a = V::template spread<kAt>(V::template load<F>(a[slice][first]));
      for (int odd = 0; odd < 2; ++odd) {
        sum[odd][g] = Cpu::multiply_add(of_a, values_of_b<kSparse, kAt>(slice, odd, first), sum[odd][g]);
      }
    }
  }
  [[gnu::always_inline]] I add_c(I sum, I c) const {
    const I total = V::add(sum, c);
    if (!dot.saturate) return total;
    const I beyond = ((sum ^ total) & (c ^ total)) >> 31;
    return (beyond & (c >> 31 ^ 0x7fffffff)) | (~beyond & total);
  }

  template <bool kSparse>
  [[gnu::always_inline]] void run(std::uint32_t* d) {
    decode_a();
    decode_b(kSparse ? 2 * dot.depth : dot.depth);
    if constexpr (kSparse) decode_index();
    alignas(64) std::uint32_t out[4 * kRegisterWords];
    for (int row = 0; row < kTileRows; row += kGroups * V::kRows) {
      F sum[2][kGroups] = {};
      for (int slice = 0; slice < dot.depth / 4; ++slice) {
        add_products<kSparse, 0>(slice, row, sum);
        add_products<kSparse, 1>(slice, row, sum);
        add_products<kSparse, 2>(slice, row, sum);
        add_products<kSparse, 3>(slice, row, sum);
      }
      for (int odd = 0; odd < 2; ++odd) {
        for (int g = 0; g < kGroups; ++g) {
          const int first = row + g * V::kRows;
          const std::ptrdiff_t place = (first / 8 * 2 + odd) * kRegisterWords + std::ptrdiff_t{4} * (first % 8);
          V::store(out + place, add_c(V::to_int(sum[odd][g]), V::template load<I>(dot.c + place)));
        }
      }
    }
    std::memcpy(d, out, sizeof out);
  }
};

template <class Cpu, bool kSparse>
[[gnu::noinline]] void compute_integers_as(const FragmentIntegers& dot, std::uint32_t* d) {
  IntegerSummer<Cpu> summer(dot);
  summer.template run<kSparse>(d);
}
template <class Cpu>
void compute_integers(const FragmentIntegers& dot, std::uint32_t* d) {
  (dot.index == nullptr ? compute_integers_as<Cpu, false> : compute_integers_as<Cpu, true>)(dot, d);
}

}  // namespace stc::arith::fragment
