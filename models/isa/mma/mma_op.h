// SPDX-License-Identifier: Apache-2.0
// One matrix instruction of a warp, or of a warpgroup of four: D[m,n] = A[m,k] x B[k,n] + C[m,n].
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/mma/number_format.h"
#include "models/sparsity/pattern.h"

namespace stc::isa {

/// `k` is the logical (dense) depth; a sparse op stores k * pattern.n / pattern.m weights per row.
struct MmaOp {
  std::uint8_t m = 16;
  std::uint16_t n = 8;
  std::uint16_t k = 16;
  NumberFormat a = NumberFormat::f16;
  NumberFormat b = NumberFormat::f16;
  NumberFormat c = NumberFormat::f32;  ///< also the format of D
  bool sparse = false;
  bool saturate = false;      ///< .satfinite of integer ops
  bool warpgroup = false;     ///< of four warps, or what one of them computes of it: 16 rows of the 64, 8 columns
  bool exclusive_or = false;  ///< of b1: counts bits that differ (.xor.popc), not those set in both (.and.popc)
  sparsity::Pattern pattern;  ///< dense unless `sparse`

  int lanes() const { return m == 64 ? 128 : 32; }
  int stored_k() const { return k * pattern.n / pattern.m; }
  int stored_macs() const { return m * n * stored_k(); }
  int logical_macs() const { return m * n * k; }
  /// 32-bit registers per lane of each operand.
  int a_registers() const { return m * stored_k() * bits_of(a) / (32 * lanes()); }
  int b_registers() const { return k * n * bits_of(b) / (32 * lanes()); }
  int c_registers() const { return m * n * bits_of(c) / (32 * lanes()); }
  bool operator==(const MmaOp& o) const {
    return m == o.m && n == o.n && k == o.k && a == o.a && b == o.b && c == o.c && sparse == o.sparse &&
           saturate == o.saturate && exclusive_or == o.exclusive_or && warpgroup == o.warpgroup && pattern == o.pattern;
  }
  /// As PTX spells it, without .sync.aligned, .row.col and ::ordered_metadata:
  /// "mma.sp.m16n8k32.f32.f16.f16.f32", "mma.m16n8k32.satfinite.s32.s8.s8.s32",
  /// "mma.m16n8k256.s32.b1.b1.s32.and.popc". Those of warpgroups: "wgmma.sp.m64n8k32.f32.f16.f16".
  std::string name() const;
};

/// The pattern that NVIDIA's mma.sp has for weights of this format: 1:2 for tf32, 4:8 in pairs for s4/u4, else 2:4.
sparsity::Pattern nvidia_pattern(NumberFormat weights);

/// Reads what name() writes, but for b1, and PTX's full spelling, with or without ::ordered_metadata:
/// "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16".
/// `.sp` means nvidia_pattern(). Throws std::invalid_argument that says what is wrong. Whether a GPU has the operation
/// is asked of find_mma().
MmaOp parse_mma_name(const std::string& name);

}  // namespace stc::isa
