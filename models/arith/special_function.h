// SPDX-License-Identifier: Apache-2.0
// Models:   MUFU, the special function unit's results for f32, bit for bit as an H200's: a table of quadratics, a square of
//           17 bits without the partial products below column 19, sums in fixed point, results truncated.
// Evidence: measured/h200/special_functions.csv: hashes of the results for all 2^32 operands of each function.
// Abstracts: the A100's unit is taken to be the same.
#pragma once

#include <cstdint>

namespace stc::arith {

/// Bits of f32 in and out. Subnormal operands count as zeros and subnormal results become zeros, both with their sign,
/// but for tanh, which passes operands below 2^-8 on as they are. NaN comes out as 0x7fffffff.
std::uint32_t reciprocal(std::uint32_t bits);
std::uint32_t reciprocal_root(std::uint32_t bits);
std::uint32_t root(std::uint32_t bits);
std::uint32_t exponential(std::uint32_t bits);  ///< 2^x
std::uint32_t logarithm(std::uint32_t bits);    ///< to the base of 2
std::uint32_t sine(std::uint32_t turns);        ///< of an angle in turns
std::uint32_t cosine(std::uint32_t turns);      ///< of an angle in turns
std::uint32_t hyperbolic_tangent(std::uint32_t bits);
/// Upper words of f64 in and out; what is below counts as zero.
std::uint32_t reciprocal_upper_word(std::uint32_t upper);
std::uint32_t reciprocal_root_upper_word(std::uint32_t upper);

}  // namespace stc::arith
