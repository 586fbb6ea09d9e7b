// SPDX-License-Identifier: Apache-2.0
// Operands of fragment_dot, decoded: exact floats and exponents as 16-bit numbers, in the order in which sums read
// them. Stored elements come in slices of four: of 16-bit formats, slice 2q + i holds elements 8q + 2t + i, the halves
// i of register words; of tf32, slice s holds elements 4s + t.
#pragma once

#include <type_traits>

#include "models/arith/fragment_dot.h"
#include "models/arith/fragment_vectors.h"

namespace stc::arith::fragment {

constexpr int kRows = 16, kColumns = 8;
constexpr int kMaxSlices = kMaxFragmentDepth / 4;
constexpr std::ptrdiff_t kLaneWords = 32;  // of a register
/// Exponent of an operand that is zero: whatever is added, never the largest.
constexpr std::int16_t kZeroExponent = -8192;
/// Exponents of products below this are of zeros.
constexpr std::int32_t kZeroProduct = -7000;
/// Bias of products' exponents, as of a float's.
constexpr int kBias = 127;
/// Operands and C are below two to this, and therefore neither infinite nor NaN, or another path is taken.
constexpr int kLargestOperand = 48, kLargestC = 96;

struct Operands {
  alignas(64) float a[kMaxSlices][kRows][4];
  alignas(64) std::int16_t a_exponent[kMaxSlices / 2][kRows][8];  ///< two slices: half 2t + i is element t of slice i
  alignas(64) float b[2][kMaxFragmentBRows][4];                   ///< columns 0, 2, 4, 6, and 1, 3, 5, 7
  alignas(64) std::int16_t b_exponent[kMaxFragmentBRows][8];
  /// Of 2:4, as a_exponent: where in four rows of b_exponent those of the selected row begin.
  alignas(64) std::int16_t index[kMaxSlices / 2][kRows][8];
  const std::uint16_t* select;  ///< as in FragmentDot, or of its index
  alignas(64) std::uint16_t select_of_index[kRows * kMaxFragmentDepth];
};

template <class Cpu>
struct Decoder {
  using V = Vectors<Cpu>;
  using F = typename V::F;
  using I = typename V::I;
  using H = typename V::H;
  using Q = VectorTypes<16>::I;
  using Q8 = VectorTypes<16>::H;

  /// The floats of 16-bit elements in the upper halves of words, whatever the lower halves hold.
  template <FragmentFormat kFormat>
  STC_LANES F upper_value(I words) {
    if constexpr (kFormat == FragmentFormat::bf16)
      return V::template as<F>(words & static_cast<std::int32_t>(0xffff0000));
    // An f16 is a float with another bias; the product makes subnormals normal.
    return V::template as<F>((words >> 3) & static_cast<std::int32_t>(0x8fffe000)) * 0x1p112f;
  }
  template <FragmentFormat kFormat>
  STC_LANES F lower_value(I words) {
    return upper_value<kFormat>(words << 16);
  }
  /// Of 16-bit elements, each in its half, with the format's bias. `largest` magnitude as bits.
  template <FragmentFormat kFormat>
  STC_LANES H exponents(H words, H& largest) {
    const H magnitude = words & static_cast<std::int16_t>(0x7fff);
    largest = magnitude > largest ? magnitude : largest;
    const H field = magnitude >> (kFormat == FragmentFormat::bf16 ? 7 : 10);
    return magnitude == 0 ? H{} + kZeroExponent : field > 1 ? field : H{} + std::int16_t{1};
  }
  /// Of floats, tf32 ones among them.
  STC_LANES I exponents(I bits, I& largest) {
    const I magnitude = bits & 0x7fffffff;
    largest = magnitude > largest ? magnitude : largest;
    const I field = magnitude >> 23;
    return magnitude == 0 ? I{} + kZeroExponent : field > 1 ? field : I{} + 1;
  }
  STC_LANES H pair(I low, I high) { return V::template as<H>((low & 0xffff) | high << 16); }

  /// Words that are negative where an operand is too large.
  template <FragmentFormat kFormat, class Magnitudes>
  STC_LANES I too_large(Magnitudes largest) {
    if constexpr (kFormat == FragmentFormat::tf32) return largest >= (kBias + kLargestOperand) << 23;
    constexpr std::int16_t kLimit = kFormat == FragmentFormat::bf16 ? (kBias + kLargestOperand) << 7 : 0x7c00;
    // A word is negative if its upper half is.
    const I either = V::template as<I>(largest >= kLimit);
    return either | either << 16;
  }
  /// What is added to the exponents of two operands for those of products.
  template <FragmentFormat kFormat>
  static constexpr int kProductBias = kBias - 2 * (kFormat == FragmentFormat::f16 ? 15 : 127);
  template <FragmentFormat kFormat>
  using Bits = std::conditional_t<kFormat == FragmentFormat::tf32, I, H>;

  template <FragmentFormat kFormat>
  STC_LANES I a(const FragmentDot& dot, Operands& out) {
    Bits<kFormat> largest{};
    constexpr int kDepth = kFormat == FragmentFormat::tf32 ? 4 : 8;  // of a register
    for (std::ptrdiff_t q = 0; q < dot.depth / kDepth; ++q) {
      for (std::ptrdiff_t row = 0; row < kRows; row += V::kRows) {
        const std::uint32_t* const words = dot.a + (2 * q + row / 8) * kLaneWords + row % 8 * 4;
        const I x = V::template load<I>(words);
        if constexpr (kFormat == FragmentFormat::tf32) {
          const I kept = x & static_cast<std::int32_t>(0xffffe000);
          V::store(out.a[q][row], V::template as<F>(kept));
          // The neighbouring slice comes before or after this one.
          if (q % 2 == 0) {
            V::store(out.a_exponent[q / 2][row], exponents(kept, largest));
          } else {
            const I low = V::template load<I>(out.a_exponent[q / 2][row]);
            V::store(out.a_exponent[q / 2][row], pair(low, exponents(kept, largest)));
          }
        } else {
          V::store(out.a[2 * q][row], lower_value<kFormat>(x));
          V::store(out.a[2 * q + 1][row], upper_value<kFormat>(x));
          V::store(out.a_exponent[q][row], exponents<kFormat>(V::template as<H>(x), largest));
        }
      }
    }
    return too_large<kFormat>(largest);
  }

  /// Eight stored elements' indices in the halves of their row's quad, from `words` with the row's in each of the quad.
  STC_LANES H indices(I words, int q) {
    I shift{};
    for (int i = 0; i < V::kWords; ++i) shift[i] = i % 4 * 4;
    const I first = words >> (16 * q) >> shift;
    return V::template as<H>((first & 3) | (first & 12) << 14);
  }
  STC_LANES I words_of_index(const FragmentDot& dot, int row) {
    I words;
    for (int i = 0; i < V::kWords; ++i) words[i] = static_cast<std::int32_t>(dot.index[row + i / 4]);
    return words;
  }
  STC_LANES void index(const FragmentDot& dot, Operands& out) {
    for (int row = 0; row < kRows; row += V::kRows) {
      const I words = words_of_index(dot, row);
      for (int q = 0; q < dot.depth / 8; ++q) V::store(out.index[q][row], indices(words, q) << 3);
    }
  }
  STC_LANES void select(const FragmentDot& dot, Operands& out) {
    H group;
    for (int i = 0; i < 2 * V::kWords; ++i) group[i] = static_cast<std::int16_t>(i % 8 / 2 * 4);
    for (int row = 0; row < kRows; row += V::kRows) {
      const I words = words_of_index(dot, row);
      for (int q = 0; q < dot.depth / 8; ++q) {
        std::int16_t rows[V::kRows][8];
        V::store(rows, indices(words, q) + group + static_cast<std::int16_t>(16 * q));
        for (int i = 0; i < V::kRows; ++i) {
          std::memcpy(&out.select_of_index[(row + i) * dot.depth + 8 * q], rows[i], sizeof rows[i]);
        }
      }
    }
    out.select = out.select_of_index;
  }

  /// Eight columns of four words each, from `words`: the columns 0, 2, 4, 6 or 1, 3, 5, 7 as four rows.
  STC_LANES void turn(const std::uint32_t* words, int odd, Q (&rows)[4]) {
    Q from[4];
    for (std::ptrdiff_t i = 0; i < 4; ++i) std::memcpy(&from[i], words + (2 * i + odd) * 4, sizeof from[i]);
    const Q low01 = __builtin_shufflevector(from[0], from[1], 0, 4, 1, 5);
    const Q low23 = __builtin_shufflevector(from[2], from[3], 0, 4, 1, 5);
    const Q high01 = __builtin_shufflevector(from[0], from[1], 2, 6, 3, 7);
    const Q high23 = __builtin_shufflevector(from[2], from[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  }
  template <FragmentFormat kFormat>
  STC_LANES I b(const FragmentDot& dot, Operands& out) {
    Bits<kFormat> largest{};
    if constexpr (kFormat == FragmentFormat::tf32) {
      Q rows[2][4];
      for (std::ptrdiff_t k = 0; k < dot.b_rows; k += 4) {
        for (int odd = 0; odd < 2; ++odd) {
          turn(dot.b + k / 4 * kLaneWords, odd, rows[odd]);
          for (Q& row : rows[odd]) row &= static_cast<std::int32_t>(0xffffe000);
          std::memcpy(out.b[odd][k], rows[odd], sizeof rows[odd]);
        }
      }
      for (std::ptrdiff_t k = 0; k < dot.b_rows; k += V::kRows) {
        const I even = exponents(V::template load<I>(out.b[0][k]), largest) + kProductBias<kFormat>;
        const I odd = exponents(V::template load<I>(out.b[1][k]), largest) + kProductBias<kFormat>;
        V::store(out.b_exponent[k], pair(even, odd));
      }
    } else {
      H rows[8 / V::kRows];
      for (std::ptrdiff_t k = 0; k < dot.b_rows; k += 8) {
        Cpu::turn(dot.b + k / 8 * kLaneWords, rows);
        for (std::ptrdiff_t i = 0; i < 8; i += V::kRows) {
          const H x = rows[i / V::kRows];
          V::store(out.b[0][k + i], lower_value<kFormat>(V::template as<I>(x)));
          V::store(out.b[1][k + i], upper_value<kFormat>(V::template as<I>(x)));
          V::store(out.b_exponent[k + i],
                   exponents<kFormat>(x, largest) + static_cast<std::int16_t>(kProductBias<kFormat>));
        }
      }
    }
    return too_large<kFormat>(largest);
  }
};

}  // namespace stc::arith::fragment
