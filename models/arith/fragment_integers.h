// SPDX-License-Identifier: Apache-2.0
// The integer product of integer_dot.h on operands as the lanes of a warp hold them, for elements of 8 bits. Products
// are summed as floats, which hold them exactly: 64 of them stay below 2^24.
//
// Images are [registers][32 lanes]; with g = lane / 4, t = lane % 4:
//   A  register r, byte i: row g + 8 (r mod 2), element 16 (r / 2) + 4 t + i
//   B  register r, byte i: column g, row 16 r + 4 t + i
//   C, D  register r: row g + 8 (r / 2), column 2 t + r mod 2
#pragma once

#include <cstdint>
#include <vector>

namespace stc::arith {

/// Sixteen rows of A times eight columns of B.
struct FragmentIntegers {
  bool a_signed = true, b_signed = true;
  bool saturate = false;                 ///< D is clamped to 32 bits; otherwise it wraps around
  int depth = 32;                        ///< stored elements of a row of A, a multiple of 16
  const std::uint32_t* index = nullptr;  ///< null when dense; 2:4: [16][depth / 16], as in FragmentDot
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  const std::uint32_t* c = nullptr;
};

constexpr int kMaxIntegerDepth = 64;  ///< of `depth`

/// Writes the image of D, which may be C's. Any depth up to kMaxIntegerDepth.
void fragment_integers(const FragmentIntegers& dot, std::uint32_t* d);

/// The same, compiled for one kind of processor. For tests.
struct FragmentIntegersVariant {
  const char* name;
  void (*compute)(const FragmentIntegers& dot, std::uint32_t* d);
};
std::vector<FragmentIntegersVariant> fragment_integers_variants();

}  // namespace stc::arith
