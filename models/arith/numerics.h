// SPDX-License-Identifier: Apache-2.0
// How a GPU's matrix unit rounds: the parameters of its fused dot product, one set per input format.
#pragma once

#include <cstdint>

namespace stc::arith {

/// T-FDPA (truncated fused dot-product-add): see fused_dot.h.
struct FusedDotRules {
  int block_length = 8;           ///< products summed at once; longer dot products chain blocks in ascending k
  int fraction_bits = 24;         ///< F: bits kept below the binary point of the largest exponent
  int exponent_floor_f32 = -132;  ///< least alignment exponent when C/D are f32
  int exponent_floor_f16 = -20;   ///< least alignment exponent when C/D are f16
  int f32_result_fraction = 23;   ///< fraction bits of an f32 result; 13 for native fp8 units (low bits zero)

  template <class V>
  void describe(V& v) {
    v.field("block_length", block_length, "products", 1, 128, "Products of stored elements summed at once.");
    v.field("fraction_bits", fraction_bits, "bits", 8, 40, "Bits kept below the largest exponent of a block.");
    v.field("exponent_floor_f32", exponent_floor_f32, "binary exponent", -300, 127,
            "Least alignment exponent when C and D are f32.");
    v.field("exponent_floor_f16", exponent_floor_f16, "binary exponent", -300, 15,
            "Least alignment exponent when C and D are f16.");
    v.field("f32_result_fraction", f32_result_fraction, "bits", 1, 23, "Fraction bits of an f32 result.");
  }
};

/// All rules of one GPU generation. block_length is in stored elements.
struct Numerics {
  FusedDotRules f16;  ///< f16 and bf16 inputs
  FusedDotRules tf32;
  FusedDotRules fp8;        ///< native fp8 units only (Hopper's wgmma; no mma.sync of sm_80 or sm_90)
  bool fp8_native = false;  ///< false: fp8 mma.sync is emulated as the compiler does it (emulated_fp8.h)
  bool int4_native = true;  ///< false: s4/u4 is emulated with 8-bit products (same values, other instructions)

  template <class V>
  void describe(V& v) {
    v.group("f16", f16, "f16 and bf16 inputs.");
    v.group("tf32", tf32, "tf32 inputs.");
    v.group("fp8", fp8, "Native fp8 units.");
    v.flag("fp8_native", fp8_native, "fp8 mma.sync is one instruction; otherwise the compiler emulates it with f16.");
    v.flag("int4_native", int4_native, "s4 and u4 mma are one instruction; otherwise emulated with 8-bit products.");
  }

  static Numerics sm80();
  static Numerics sm90();
  /// sm80() or sm90(); throws std::invalid_argument for any other version.
  static Numerics of(int sm_version);
};

}  // namespace stc::arith
