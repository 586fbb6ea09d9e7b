// SPDX-License-Identifier: Apache-2.0
// Published dot products of real GPUs (Khattak & Mikaitis, MATLAB-tensor-core @b12b5a7, BSD-2-Clause), replayed on the
// model. A row is "gpu,in_fmt,out_fmt,K,path,c_used" and then K values of a, K of b, c and d as f32 bit patterns.
#pragma once

#include <cstdint>
#include <string>

#include "models/arith/numerics.h"

namespace stc::validation {

struct Replay {
  std::uint32_t expected = 0;  ///< f32 bit pattern of the hardware's result
  std::uint32_t computed = 0;
};

/// The rules that the GPU named in column 1 has, and those of its native 8-bit floats, which only wgmma uses.
struct Rules {
  arith::Numerics numerics;
  arith::FusedDotRules fp8;
};
Rules rules_of(const std::string& row);

/// Puts the row's vectors into every row of A and column of B of the instruction that produced it, the rest of k zero,
/// and computes all 128 outputs; when they differ from each other `computed` is a wrong one.
Replay replay(const std::string& row, const Rules& rules);

}  // namespace stc::validation
