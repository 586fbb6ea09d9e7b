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
  /// Vectors of rows that are worked on at the same time.
  static constexpr int kGroups = kF32 ? Cpu::kGroups : 2;

  const FragmentDot& dot;
  const Operands& in;
  std::int32_t low, high;  ///< alignment exponents between which floats hold all that is computed
  bool low_is_floor;
  I bad{};  ///< negative where another path is needed
  /// Of the rows that are worked on: C, then D.
  F value[2][kGroups];
  I exponent[2][kGroups];
  I code[2][kGroups];

  [[gnu::always_inline]] explicit Summer(const FragmentDot& d, const Operands& operands) : dot(d), in(operands) {
    const int floor = kF32 ? d.rules.exponent_floor_f32 : d.rules.exponent_floor_f16;
    const int least = d.rules.fraction_bits - 125;  // so that the scale of products is a float
    low_is_floor = floor >= least;
    low = low_is_floor ? floor : least;
    const int most = d.rules.fraction_bits + 96;  // so that sums are floats
    high = most < 120 ? most : 120;
  }

  /// Register image of C and D: where the columns of some rows begin.
  STC_LANES int place(int row, int odd) { return (kF32 ? row / 8 * 2 + odd : row / 8) * kLaneWords + row % 8 * 4; }
  [[gnu::always_inline]] void decode_c() {
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) {
        if constexpr (kF32) {
          exponent[odd][g] = D::exponents(code[odd][g]);
          value[odd][g] = V::template as<F>(code[odd][g]);
        } else {
          const I upper = code[odd][g] << 16;
          exponent[odd][g] = V::high_halves(D::template exponents<FragmentFormat::f16>(V::template as<H>(upper)));
          value[odd][g] = D::template upper_value<FragmentFormat::f16>(upper);
        }
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
        sum[odd][g] += V::to_int(a * B::template values<kSlice, kAt>(dot, in, odd, element<kSlice, kAt>(q), first) *
                                 scale[odd][g]);
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
    const I normal = ((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10);
    // Adding 1/2 leaves a least bit of 2^-24, that of an f16 subnormal: the adder rounds.
    const I tiny = V::template as<I>(magnitude + 0.5f) - 0x3f000000;
    const I rounded = magnitude < 0x1p-14f ? tiny : normal;
    return rounded < 0x7c00 ? rounded : I{} + 0x7c00;
  }
  [[gnu::always_inline]] void round(int odd, int g, I sum, F scale, F unit) {
    const I c = V::to_int(value[odd][g] * scale);
    const I total = sum + c;
    const I magnitude = total < 0 ? -total : total;
    bad |= ((sum ^ total) & (c ^ total)) | (magnitude + 64);
    const F result = narrow(magnitude, !kF32) * unit;
    if constexpr (kF32) {
      code[odd][g] = V::template as<I>(result) | (total & static_cast<std::int32_t>(0x80000000));
    } else {
      const I rounded = to_f16(result);
      code[odd][g] = rounded | ((total >> 16 & 0x8000) & (rounded != 0));
    }
  }

  [[gnu::always_inline]] void block(int first, int end, int row) {
    H widest[kGroups];
    for (H& e : widest) e = H{} + static_cast<std::int16_t>(2 * kZeroExponent);
    for (int slice = first; slice < end; slice += 2) {
      if (kHalves || slice % 2 == 0) widen<0>(slice / 2, row, widest);
      if (kHalves || slice % 2 == 1 || slice + 1 < end) widen<1>(slice / 2, row, widest);
    }
    F scale[2][kGroups], unit[2][kGroups];
    I sum[2][kGroups] = {};
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) {
        const I products = odd == 0 ? V::low_halves(widest[g]) : V::high_halves(widest[g]);
        const I e = products > exponent[odd][g] ? products : exponent[odd][g];
        bad |= e > high;
        if (!low_is_floor) bad |= (e < low) & (e > kZeroProduct);
        const I alignment = (e > low ? e : I{} + low) - dot.rules.fraction_bits;
        scale[odd][g] = V::power(-alignment);
        unit[odd][g] = V::power(alignment);
      }
    }
    for (int slice = first; slice < end; slice += 2) {
      if (kHalves || slice % 2 == 0) add_products<0>(slice / 2, row, scale, sum);
      if (kHalves || slice % 2 == 1 || slice + 1 < end) add_products<1>(slice / 2, row, scale, sum);
    }
    for (int odd = 0; odd < 2; ++odd) {
      for (int g = 0; g < kGroups; ++g) round(odd, g, sum[odd][g], scale[odd][g], unit[odd][g]);
    }
  }

  [[gnu::always_inline]] bool run(std::uint32_t* d) {
    alignas(64) std::uint32_t out[4 * kLaneWords];
    const int slices = dot.depth / 4, length = dot.rules.block_length / 4;
    for (int row = 0; row < kRows; row += kGroups * V::kRows) {
      load_c(row);
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
  Decoder<Cpu>::template a<kFormat>(dot, in);
  Decoder<Cpu>::template b<kFormat>(dot, in);
  if constexpr (std::is_same_v<B, SelectedInFoursB<Cpu>>) Decoder<Cpu>::index(dot, in);
  Summer<Cpu, kFormat, B, kAccumulator> summer(dot, in);
  return summer.run(d);
}

template <class Cpu, FragmentFormat kFormat>
bool compute_format(const FragmentDot& dot, std::uint32_t* d) {
  constexpr Accumulator kF32 = Accumulator::f32, kF16 = Accumulator::f16;
  const bool f32 = dot.accumulator == kF32;
  if constexpr (Cpu::kPermutes && kFormat != FragmentFormat::tf32) {
    if (dot.select != nullptr && dot.select_in_fours) {
      return f32 ? compute<Cpu, kFormat, SelectedInFoursB<Cpu>, kF32>(dot, d)
                 : compute<Cpu, kFormat, SelectedInFoursB<Cpu>, kF16>(dot, d);
    }
  }
  if (dot.select == nullptr) {
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
