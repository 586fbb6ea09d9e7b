// SPDX-License-Identifier: Apache-2.0
// The matrix unit's fused dot product, element by element. This is the definition; fused_tile.h is the fast form.
//
// Models: "truncated fused dot-product-add" of NVIDIA tensor cores, Volta to Blackwell. For each block of L products:
//   1. special values (any NaN, Inf * 0, opposite infinities -> NaN; else any Inf -> that Inf);
//   2. products are exact and keep the sum of their operands' exponents (not renormalised);
//   3. every nonzero term, C included, is aligned to the largest exponent E by truncating its magnitude to a multiple
//      of 2^(E - F); E is never below a floor;
//   4. exact integer sum;
//   5. one rounding: toward zero to f32, to nearest even to f16. That result is C of the next block.
// Evidence: Khattak & Mikaitis (arXiv 2512.07004), Xie et al. "MMA-Sim" (arXiv 2511.10909); published A100, H100 and
// H200 outputs and an H200 reproduce bit for bit (validation/measured/h200). A sum of zero, or one that rounds to zero,
// is +0. A subnormal C has the least exponent of its format (H200; MMA-Sim has the same for the A100).
#pragma once

#include <cstdint>
#include <vector>

#include "models/arith/float_format.h"
#include "models/arith/numerics.h"

namespace stc::arith {

enum class Accumulator : std::uint8_t { f32, f16 };

constexpr std::uint32_t kNanF32 = 0x7fffffffu;
constexpr std::uint32_t kNanF16 = 0x7fffu;

/// How one term of a block was treated; `index` is -1 for C.
struct TermTrace {
  int index = -1;
  std::uint32_t a = 0, b = 0;  ///< operand bits (for C: a holds its bits)
  FloatClass kind = FloatClass::kZero;
  bool negative = false;
  double exact = 0;          ///< the exact product, or C
  int exponent = 0;          ///< before alignment; meaningless for zero terms
  std::int64_t aligned = 0;  ///< in units of 2^(alignment - F)
  double lost = 0;           ///< exact - aligned * 2^(alignment - F)
};

struct BlockTrace {
  std::vector<TermTrace> terms;  ///< C first
  bool special = false;          ///< decided by NaN or infinity; the numbers below are then meaningless
  int alignment = 0;             ///< E
  bool floored = false;          ///< E is the floor
  std::int64_t sum = 0;          ///< in units of 2^(E - F)
  std::uint32_t result = 0;      ///< bits in the accumulator's format
  bool rounding_inexact = false;
};

/// One output: `count` products in blocks of rules.block_length. Elements are register bits in the low end of each
/// word.
std::uint32_t fused_dot(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                        Accumulator accumulator, const std::uint32_t* a, const std::uint32_t* b, int count,
                        std::uint32_t c, std::vector<BlockTrace>* trace = nullptr);

}  // namespace stc::arith
