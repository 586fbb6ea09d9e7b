// SPDX-License-Identifier: Apache-2.0
// The sums of fragment_dot. A vector holds outputs of some rows, four columns each: the even ones or the odd ones.
#pragma once

#include <type_traits>

#include "models/arith/fragment_b.h"

namespace stc::arith::fragment {

template <class Cpu, FragmentFormat kFormat, class B, Accumulator kAccumulator>
struct Summer {
  using V = Vectors<Cpu>;
  using D = Decoder<Cpu>;
  using F = typename V::F;
  using I = typename V::I;
  using H = typename V::H;
  static constexpr bool kF32 = kAccumulator == Accumulator::f32, kHalves = kFormat != FragmentFormat::tf32;
  /// Products of f16 are never so small that floats cannot hold what is computed, and f32 have the exponents' bias.
  static constexpr bool kInRange = kFormat == FragmentFormat::f16 && kF32;
  /// Vectors of rows that are worked on at the same time.
  static constexpr int kGroups = kF32 ? Cpu::kGroups : 2;

  const FragmentDot& dot;
  const Operands& in;
  std::int32_t low;   ///< least alignment exponent for which floats hold all that is computed, or the floor; biased
  bool low_is_floor;  ///< no less is ever asked for
  bool may_wrap;      ///< a sum may leave 32 bits once C is added
  I bad;              ///< negative where another path is needed
  /// Of the rows that are worked on: C, then D.
  I code[2][kGroups];
  I exponent[2][kGroups];  ///< biased

  [[gnu::always_inline]] Summer(const FragmentDot& d, const Operands& operands, I unusual)
      : dot(d), in(operands), bad(unusual) {
    const int floor = kF32 ? d.rules.exponent_floor_f32 : d.rules.exponent_floor_f16;
    const int least = d.rules.fraction_bits - 125;  // so that the scale of products is a float
    low_is_floor = floor >= least;
    low = kBias + (low_is_floor ? floor : least);
    const std::int64_t c = std::int64_t{1} << (d.rules.fraction_bits + 1);
    may_wrap = (std::int64_t{d.rules.block_length} << (d.rules.fraction_bits + 2)) + c >= 0x7fffff00;
  }

  /// Register image of C and D: where the columns of some rows begin.
  STC_LANES std::ptrdiff_t place(int row, int odd) {
    return (kF32 ? row / 8 * 2 + odd : row / 8) * kLaneWords + std::ptrdiff_t{4} * (row % 8);
  }
  [[gnu::always_inline]] F value_of_c(int odd, int g) const {
    if constexpr (kF32) return V::template as<F>(code[odd][g]);
    return D::template lower_value<FragmentFormat::f16>(code[odd][g]);
  }
  [[gnu::always_inline]] void decode_c() {
    if constexpr (kInRange) return;
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) {
        const I magnitude = code[odd][g] & (kF32 ? 0x7fffffff : 0x7fff);
        const I field = magnitude >> (kF32 ? 23 : 10);
        exponent[odd][g] = magnitude == 0 ? I{} + kZeroExponent
                           : kF32         ? field
                                          : (field > 1 ? field : I{} + 1) + (kBias - 15);
        if constexpr (!kF32) bad |= field == 31;
      }
    }
  }
  /// Whether C is one of those for which floats do.
  [[gnu::always_inline]] void look_at_c() {
    if constexpr (!kF32) return;
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) {
        const I magnitude = code[odd][g] & 0x7fffffff;
        bad |= magnitude >= (kBias + kLargestC) << 23;
        if (kInRange && !low_is_floor) bad |= (magnitude < low << 23) & (magnitude != 0);
      }
    }
  }
  [[gnu::always_inline]] void load_c(int row) {
    for (int g = 0; g < kGroups; ++g) {
      for (int odd = 0; odd < 2; ++odd) {
        code[odd][g] = V::template load<I>(dot.c + place(row + g * V::kRows, odd));
      }
      if constexpr (!kF32) {
        code[0][g] &= 0xffff;
        code[1][g] = code[1][g] >> 16 & 0xffff;
      }
    }
  }
  [[gnu::always_inline]] void store_d(int row, std::uint32_t* d) {
    for (int g = 0; g < kGroups; ++g) {
      std::uint32_t* const to = d + place(row + g * V::kRows, 0);
      if constexpr (kF32) {
        V::store(to, code[0][g]);
        V::store(to + kLaneWords, code[1][g]);
      } else {
        V::store(to, code[0][g] | code[1][g] << 16);
      }
    }
  }

  /// Stored element of slice 2q + i.
  template <int kSlice, int kAt>
  STC_LANES int element(int q) {
    return kHalves ? 8 * q + kSlice + 2 * kAt : 8 * q + 4 * kSlice + kAt;
  }
  template <int kSlice, int kAt>
  [[gnu::always_inline]] void widen(int q, int row, H (&e)[kGroups]) {
    for (int g = 0; g < kGroups; ++g) {
      const int first = row + g * V::kRows;
      const H a = V::template spread_half<2 * kAt + kSlice>(V::template load<H>(in.a_exponent[q][first]));
      const H sum = a + B::template exponents<kSlice, kAt>(dot, in, element<kSlice, kAt>(q), first);
      e[g] = sum > e[g] ? sum : e[g];
    }
  }
  template <int kSlice>
  [[gnu::always_inline]] void widen(int q, int row, H (&e)[kGroups]) {
    widen<kSlice, 0>(q, row, e);
    widen<kSlice, 1>(q, row, e);
    widen<kSlice, 2>(q, row, e);
    widen<kSlice, 3>(q, row, e);
  }
  template <int kSlice, int kAt>
  [[gnu::always_inline]] void add_products(int q, int row, const F (&scale)[2][kGroups], I (&sum)[2][kGroups]) {
    for (int g = 0; g < kGroups; ++g) {
      const int first = row + g * V::kRows;
      const F a = V::template spread<kAt>(V::template load<F>(in.a[2 * q + kSlice][first]));
      for (int odd = 0; odd < 2; ++odd) {
        const F b = B::template values<kSlice, kAt>(dot, in, odd, element<kSlice, kAt>(q), first);
        sum[odd][g] = V::add(sum[odd][g], V::to_int(a * b * scale[odd][g]));  // may wrap where the result is bad
      }
    }
  }
  template <int kSlice>
  [[gnu::always_inline]] void add_products(int q, int row, const F (&scale)[2][kGroups], I (&sum)[2][kGroups]) {
    add_products<kSlice, 0>(q, row, scale, sum);
    add_products<kSlice, 1>(q, row, scale, sum);
    add_products<kSlice, 2>(q, row, scale, sum);
    add_products<kSlice, 3>(q, row, scale, sum);
  }

  /// Toward zero, to a float's 24 bits; where `odd_if_inexact`, to the odd one of two neighbours.
  [[gnu::always_inline]] F narrow(I magnitude, bool odd_if_inexact) {
    const F nearest = V::to_float(magnitude);
    I bits = V::template as<I>(nearest) + (V::to_int(nearest) > magnitude);
    if (odd_if_inexact) bits |= (V::to_int(V::template as<F>(bits)) != magnitude) & 1;
    return V::template as<F>(bits);
  }
  /// To nearest even.
  [[gnu::always_inline]] I to_f16(F magnitude) {
    const I bits = V::template as<I>(magnitude);
    const I normal = (V::add(bits, (bits >> 13 & 1) + 0xfff) >> 13) - (112 << 10);
    // Adding 1/2 leaves a least bit of 2^-24, that of an f16 subnormal: the adder rounds.
    const I tiny = V::subtract(V::template as<I>(magnitude + 0.5f), I{} + 0x3f000000);
    const I rounded = magnitude < 0x1p-14f ? tiny : normal;
    return rounded < 0x7c00 ? rounded : I{} + 0x7c00;
  }
  [[gnu::always_inline]] void round(int odd, int g, I sum, F scale) {
    const I c = V::to_int(value_of_c(odd, g) * scale);
    const I total = V::add(sum, c);
    const I magnitude = V::magnitude(total);
    if (may_wrap) bad |= ((sum ^ total) & (c ^ total)) | V::add(magnitude, I{} + 64);
    const F unit = V::template as<F>(V::subtract(I{} + (254 << 23), V::template as<I>(scale)));
    const F result = narrow(magnitude, !kF32) * unit;
    if constexpr (kF32) {
      code[odd][g] = V::template as<I>(result) | (total & static_cast<std::int32_t>(0x80000000));
    } else {
      const I rounded = to_f16(result);
      code[odd][g] = rounded | ((total >> 16 & 0x8000) & (rounded != 0));
    }
  }

  /// 2^(F - E), E from the largest exponents of products and those of C.
  [[gnu::always_inline]] F scale_of(int odd, int g, H widest) {
    I field;  // E where a float has its exponent
    if constexpr (kInRange) {
      const I products = odd == 0 ? V::template as<I>(widest) << 23 : V::template as<I>(widest) >> 16 << 23;
      const I of_c = code[odd][g] & 0x7f800000;
      field = products > of_c ? products : of_c;
    } else {
      const I products = odd == 0 ? V::low_halves(widest) : V::high_halves(widest);
      const I e = products > exponent[odd][g] ? products : exponent[odd][g];
      if (!low_is_floor) bad |= (e < low) & (e > kZeroProduct);
      field = (e > low ? e : I{} + low) << 23;
    }
    const I power = V::subtract(field, I{} + (kBias << 23));  // may wrap where the result is bad
    return V::template as<F>(V::subtract(I{} + (kBias + dot.rules.fraction_bits) * (1 << 23), power));
  }

  [[gnu::always_inline]] void block(int first, int end, int row) {
    H widest[kGroups];
    for (H& e : widest) e = H{} + static_cast<std::int16_t>(kInRange ? low : 2 * kZeroExponent);
    for (int slice = first; slice < end; slice += 2) {
      if (kHalves || slice % 2 == 0) widen<0>(slice / 2, row, widest);
      if (kHalves || slice % 2 == 1 || slice + 1 < end) widen<1>(slice / 2, row, widest);
    }
    F scale[2][kGroups];
    I sum[2][kGroups] = {};
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) scale[odd][g] = scale_of(odd, g, widest[g]);
    }
    for (int slice = first; slice < end; slice += 2) {
      if (kHalves || slice % 2 == 0) add_products<0>(slice / 2, row, scale, sum);
      if (kHalves || slice % 2 == 1 || slice + 1 < end) add_products<1>(slice / 2, row, scale, sum);
    }
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) round(odd, g, sum[odd][g], scale[odd][g]);
    }
  }

  [[gnu::always_inline]] bool run(std::uint32_t* d) {
    alignas(64) std::uint32_t out[4 * kLaneWords];
    const int slices = dot.depth / 4, length = dot.rules.block_length / 4;
    for (int row = 0; row < kRows; row += kGroups * V::kRows) {
      load_c(row);
      look_at_c();
      for (int first = 0; first < slices; first += length) {
        decode_c();
        block(first, first + length < slices ? first + length : slices, row);
      }
      store_d(row, out);
    }
    if (V::any(bad < 0)) return false;
    std::memcpy(d, out, sizeof(std::uint32_t) * (kF32 ? 4 : 2) * kLaneWords);
    return true;
  }
};

template <class Cpu, FragmentFormat kFormat, class B, Accumulator kAccumulator>
[[gnu::noinline]] bool compute(const FragmentDot& dot, std::uint32_t* d) {
  Operands in;
  const auto unusual = Decoder<Cpu>::template a<kFormat>(dot, in) | Decoder<Cpu>::template b<kFormat>(dot, in);
  if constexpr (std::is_same_v<B, SelectedInFoursB<Cpu>>) Decoder<Cpu>::index(dot, in);
  if constexpr (std::is_same_v<B, SelectedB<Cpu>>) {
    in.select = dot.select;
    if (dot.index != nullptr) Decoder<Cpu>::select(dot, in);
  }
  Summer<Cpu, kFormat, B, kAccumulator> summer(dot, in, unusual);
  return summer.run(d);
}

template <class Cpu, FragmentFormat kFormat>
bool compute_format(const FragmentDot& dot, std::uint32_t* d) {
  constexpr Accumulator kF32 = Accumulator::f32, kF16 = Accumulator::f16;
  const bool f32 = dot.accumulator == kF32;
  if constexpr (Cpu::kPermutes && kFormat != FragmentFormat::tf32) {
    if (dot.index != nullptr) {
      return f32 ? compute<Cpu, kFormat, SelectedInFoursB<Cpu>, kF32>(dot, d)
                 : compute<Cpu, kFormat, SelectedInFoursB<Cpu>, kF16>(dot, d);
    }
  }
  if (dot.select == nullptr && dot.index == nullptr) {
    return f32 ? compute<Cpu, kFormat, DenseB<Cpu>, kF32>(dot, d) : compute<Cpu, kFormat, DenseB<Cpu>, kF16>(dot, d);
  }
  return f32 ? compute<Cpu, kFormat, SelectedB<Cpu>, kF32>(dot, d)
             : compute<Cpu, kFormat, SelectedB<Cpu>, kF16>(dot, d);
}

template <class Cpu>
bool compute_any(const FragmentDot& dot, std::uint32_t* d) {
  switch (dot.format) {
    case FragmentFormat::f16: return compute_format<Cpu, FragmentFormat::f16>(dot, d);
    case FragmentFormat::bf16: return compute_format<Cpu, FragmentFormat::bf16>(dot, d);
    case FragmentFormat::tf32: return compute_format<Cpu, FragmentFormat::tf32>(dot, d);
  }
  return false;
}

}  // namespace stc::arith::fragment
