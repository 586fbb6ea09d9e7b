// SPDX-License-Identifier: Apache-2.0
// The fused dot product of fused_dot.h on operands as the lanes of a warp hold them: nothing is brought into matrices
// and back, and a vector holds outputs as a register of C does. Bit-identical, and several times as fast as fused_tile.
//
// How it is exact: a float holds any product of two operands (at most 22 bits), and any power-of-two multiple of it in
// range, so truncating the float product * 2^(F - E) to an integer *is* the alignment. Where a term is infinite or NaN,
// an exponent comes near the ends of the floats' range, or a sum leaves 32 bits, the function says so and writes
// nothing: fused_tile computes those.
//
// Images are [registers][32 lanes]; with g = lane / 4, t = lane % 4:
//   A  16-bit: register r, half i: row g + 8 (r mod 2), element 8 (r / 2) + 2 t + i;  32-bit: element 4 (r / 2) + t
//   B  16-bit: register r, half i: column g, row 8 r + 2 t + i;                       32-bit: row 4 r + t
//   C, D  f32: register r: row g + 8 (r / 2), column 2 t + r mod 2;  f16: row g + 8 r, columns 2 t and 2 t + 1
#pragma once

#include <cstdint>
#include <vector>

#include "models/arith/fused_dot.h"

namespace stc::arith {

enum class FragmentFormat : std::uint8_t { f16, bf16, tf32 };

/// Sixteen rows of A times eight columns of B.
struct FragmentDot {
  FusedDotRules rules;
  FragmentFormat format = FragmentFormat::f16;
  Accumulator accumulator = Accumulator::f32;
  int depth = 16;                         ///< stored elements of a row of A
  int b_rows = 16;                        ///< equals depth when dense
  const std::uint16_t* select = nullptr;  ///< null when dense, else [16][depth]: row of B of each stored element
  /// Of 2:4 in 16 bits, in place of `select`: a word for each row of A, whose bits 2p and 2p + 1 say which of the rows
  /// of B from p / 2 * 4 on stored element p multiplies.
  const std::uint32_t* index = nullptr;
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  const std::uint32_t* c = nullptr;
};

constexpr int kMaxFragmentDepth = 32;
constexpr int kMaxFragmentBRows = 64;

/// Writes the image of D, which may be C's. False, and nothing is written, where fused_tile has to be asked.
bool fragment_dot(const FragmentDot& dot, std::uint32_t* d);

/// The same, compiled for one kind of processor.
struct FragmentDotVariant {
  const char* name;
  bool (*compute)(const FragmentDot& dot, std::uint32_t* d);
};
/// Those that this processor can run, the one that fragment_dot() takes first. For tests.
std::vector<FragmentDotVariant> fragment_dot_variants();

}  // namespace stc::arith
