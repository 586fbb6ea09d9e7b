// SPDX-License-Identifier: Apache-2.0
// Which row of B a stored element multiplies, for fragment_dot: the same in all rows of A, or that which metadata
// select.
#pragma once

#include "models/arith/fragment_decode.h"

namespace stc::arith::fragment {

template <class Cpu>
struct DenseB {
  using V = Vectors<Cpu>;
  template <int, int>
  STC_LANES typename V::H exponents(const FragmentDot&, const Operands& in, int p, int) {
    return V::template as<typename V::H>(Cpu::broadcast(in.b_exponent[p]));
  }
  template <int, int>
  STC_LANES typename V::F values(const FragmentDot&, const Operands& in, int odd, int p, int) {
    return V::template as<typename V::F>(Cpu::broadcast(in.b[odd][p]));
  }
};

/// Any row.
template <class Cpu>
struct SelectedB {
  using V = Vectors<Cpu>;
  template <int, int>
  STC_LANES typename V::H exponents(const FragmentDot& dot, const Operands& in, int p, int row) {
    const std::uint16_t* const select = in.select + std::ptrdiff_t{row} * dot.depth + p;
    return V::template as<typename V::H>(Cpu::quads(in.b_exponent, select, dot.depth));
  }
  template <int, int>
  STC_LANES typename V::F values(const FragmentDot& dot, const Operands& in, int odd, int p, int row) {
    const std::uint16_t* const select = in.select + std::ptrdiff_t{row} * dot.depth + p;
    return V::template as<typename V::F>(Cpu::quads(in.b[odd], select, dot.depth));
  }
};

/// One of four rows, found by permuting these: 2:4 in 16 bits.
template <class Cpu>
struct SelectedInFoursB {
  using V = Vectors<Cpu>;
  using I = typename V::I;
  using H = typename V::H;
  STC_LANES std::ptrdiff_t first_of_four(int p) { return std::ptrdiff_t{4} * (p / 2); }
  template <int kSlice, int kAt>
  STC_LANES H exponents(const FragmentDot&, const Operands& in, int p, int row) {
    const H index = V::template spread_half<2 * kAt + kSlice>(V::template load<H>(in.index[p / 8][row]));
    return V::template as<H>(Cpu::permute_halves(in.b_exponent[first_of_four(p)], index));
  }
  template <int kSlice, int kAt>
  STC_LANES typename V::F values(const FragmentDot&, const Operands& in, int odd, int p, int row) {
    // Half of what finds 16-bit numbers; bits beyond the word's number are not looked at.
    const I index = V::template load<I>(in.index[p / 8][row]) >> (kSlice == 0 ? 1 : 17);
    return V::template as<typename V::F>(
        Cpu::permute_words(in.b[odd][first_of_four(p)], V::template spread<kAt>(index)));
  }
};

}  // namespace stc::arith::fragment
