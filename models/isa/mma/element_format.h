// SPDX-License-Identifier: Apache-2.0
// Which arithmetic an instruction's element formats ask for.
#pragma once

#include "models/arith/fused_dot.h"
#include "models/isa/mma/mma_op.h"

namespace stc::isa {

inline bool is_fp8(NumberFormat format) { return format == NumberFormat::e4m3 || format == NumberFormat::e5m2; }

/// Of a floating-point format.
inline arith::FloatFormat float_format(NumberFormat format) {
  switch (format) {
    case NumberFormat::bf16: return arith::kBf16;
    case NumberFormat::tf32: return arith::kTf32;
    case NumberFormat::e4m3: return arith::kE4m3;
    case NumberFormat::e5m2: return arith::kE5m2;
    case NumberFormat::f32: return arith::kF32;
    default: return arith::kF16;
  }
}

inline arith::Accumulator accumulator_of(const MmaOp& op) {
  return op.c == NumberFormat::f16 ? arith::Accumulator::f16 : arith::Accumulator::f32;
}

/// Rules of a floating-point instruction; those of f16 for fp8 of a warp, which compilers emulate with it.
inline arith::FusedDotRules rules_of(const MmaOp& op, const arith::Numerics& numerics) {
  if (op.warpgroup && is_fp8(op.a)) return numerics.native_fp8();
  return op.a == NumberFormat::tf32 ? numerics.tf32() : numerics.f16();
}

}  // namespace stc::isa
