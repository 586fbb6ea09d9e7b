// SPDX-License-Identifier: Apache-2.0
// How a GPU's matrix units round: the parameters of their fused dot products. The values are keys of the GPU file.
#pragma once

namespace stc::arith {

/// T-FDPA (truncated fused dot-product-add) of one input format: see fused_dot.h.
struct FusedDotRules {
  int block_length = 0;          ///< products summed at once; longer dot products chain blocks in ascending k
  int fraction_bits = 0;         ///< F: bits kept below the binary point of the largest exponent
  int exponent_floor_f32 = 0;    ///< least alignment exponent when C/D are f32
  int exponent_floor_f16 = 0;    ///< least alignment exponent when C/D are f16
  int f32_result_fraction = 23;  ///< fraction bits of an f32 result; 13 for native fp8 units (low bits zero)
};

/// All rules of one GPU. Blocks are counted in stored elements.
struct Numerics {
  int f16_block_length = 0;
  int tf32_block_length = 0;
  int fraction_bits = 0;
  int exponent_floor_f32 = 0;
  int exponent_floor_f16 = 0;

  /// f16 and bf16 inputs.
  FusedDotRules f16() const { return {f16_block_length, fraction_bits, exponent_floor_f32, exponent_floor_f16}; }
  /// 8-bit floats where the unit has them (wgmma of sm_90): 32 products, 13 bits kept, in sums and in f32 results.
  FusedDotRules native_fp8() const { return {32, 13, exponent_floor_f32, exponent_floor_f16, 13}; }
  FusedDotRules tf32() const { return {tf32_block_length, fraction_bits, exponent_floor_f32, exponent_floor_f16}; }

  template <class V>
  void describe(V& v) {
    v.field("f16_block_length", f16_block_length, "products", 1, 128,
            "Products of stored elements in f16 and bf16 that are summed at once.");
    v.field("tf32_block_length", tf32_block_length, "products", 1, 128, "The same in tf32.");
    v.field("fraction_bits", fraction_bits, "bits", 8, 40, "Bits kept below the largest exponent of a block.");
    v.field("exponent_floor_f32", exponent_floor_f32, "binary exponent", -300, 127,
            "Least alignment exponent when C and D are f32.");
    v.field("exponent_floor_f16", exponent_floor_f16, "binary exponent", -300, 15,
            "Least alignment exponent when C and D are f16.");
  }
};

}  // namespace stc::arith
