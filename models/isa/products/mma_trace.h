// SPDX-License-Identifier: Apache-2.0
// How one output of a matrix instruction comes about: products, alignment, truncation, sum, rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "models/arith/fused_dot.h"
#include "models/isa/products/execute_mma.h"

namespace stc::isa {

struct ProductStep {
  int stored = 0;       ///< stored element of A's row
  int b_row = 0;        ///< logical k
  std::uint32_t a = 0;  ///< element bits in the instruction's format
  std::uint32_t b = 0;
};

struct OutputTrace {
  std::uint32_t c = 0;
  std::uint32_t d = 0;
  std::vector<ProductStep> products;  ///< in the order in which they are summed
  /// Floating point: the fused blocks; terms[i].index counts through `products`.
  std::vector<arith::BlockTrace> blocks;
  arith::FusedDotRules rules;  ///< those of the blocks
  /// Emulated fp8: the blocks start from zero and C is added after them, rounded to nearest even.
  bool c_added_last = false;
  /// Integers: the exact sum with C, before it is wrapped or clamped to 32 bits.
  std::int64_t exact_sum = 0;
};

OutputTrace trace_output(const MmaOp& op, const arith::Numerics& numerics, const MmaMatrices& in, int row, int column);

/// Value of an element in one of the instruction's formats.
double element_value(NumberFormat format, std::uint32_t bits);

}  // namespace stc::isa
