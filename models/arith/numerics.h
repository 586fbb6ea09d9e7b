// SPDX-License-Identifier: Apache-2.0
// How a GPU's matrix unit rounds: the parameters of its fused dot product, one set per input format.
#pragma once

#include <cstdint>

namespace stc::arith {

/// T-FDPA (truncated fused dot-product-add): see fused_dot.h.
struct FusedDotRules {
  int block_length = 8;      ///< products summed at once; longer dot products chain blocks in ascending k
  int fraction_bits = 24;    ///< F: bits kept below the binary point of the largest exponent
  int exponent_floor_f32 = -132;  ///< least alignment exponent when C/D are f32
  int exponent_floor_f16 = -20;   ///< least alignment exponent when C/D are f16
};

/// All rules of one GPU generation. block_length is in stored elements.
struct Numerics {
  FusedDotRules f16;    ///< f16 and bf16 inputs
  FusedDotRules tf32;
  bool fp8_native = false;  ///< sm_80 and sm_90 have no native fp8 mma.sync
  static Numerics sm80();
  static Numerics sm90();
};

}  // namespace stc::arith
