// SPDX-License-Identifier: Apache-2.0
// One matrix instruction with its operands, as register images and as matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/products/execute_mma.h"

namespace stc::sim {

struct MmaCase {
  isa::MmaOp op;
  int selector = 0;
  std::vector<std::uint32_t> a, b, c, e, d;  ///< register images [registers][32]
  isa::MmaMatrices in;
  std::vector<std::uint32_t> out;  ///< D as a matrix [m][n]
  /// Of a warpgroup, whose images are empty but for `e`, of one warp after another: what each warp does with 8 columns
  /// after others, [4][n / 8].
  std::vector<MmaCase> parts;
};

/// Operands of ordinary size with full fractions and exponents a few binades apart, so that alignment and truncation
/// show. Sparse weights are pruned by magnitude; metadata of other selectors is random.
MmaCase random_case(const isa::MmaOp& op, int selector, std::uint64_t seed);

/// Fills d and out.
void compute(MmaCase& mma, const arith::Numerics& numerics);

/// Row of B that stored element p of a row multiplies.
int selected_row(const MmaCase& mma, int row, int p);

constexpr int kOperandDigits = 4;

/// An element for people: `digits` significant ones, "nan", "-inf", integers as they are.
std::string element_text(isa::NumberFormat format, std::uint32_t bits, int digits = kOperandDigits);

}  // namespace stc::sim
