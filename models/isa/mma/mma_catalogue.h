// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction of a GPU generation: those of a warp (PTX mma.sync and mma.sp of shape m16n8kK) and those of
// a warpgroup (wgmma.mma_async, m64nNkK).
#pragma once

#include <vector>

#include "models/isa/mma/mma_op.h"

namespace stc::isa {

struct MmaCatalogueEntry {
  MmaOp op;
  /// No single machine instruction does it: the compiler emits conversions and several matrix instructions (fp8 and s4
  /// on sm_90). The values are those of the emitted code.
  bool emulated = false;
  int selectors = 0;  ///< legal metadata selectors are 0 to selectors - 1; 0 when dense
};

/// Throws std::invalid_argument when models/core/architecture.h has no `sm_version`.
std::vector<MmaCatalogueEntry> mma_catalogue(int sm_version);

/// Those of warpgroups, each with its most columns; none before sm_90. Others are multiples of 8, of integers above 32
/// of 16 (PTX ISA; ptxas).
std::vector<MmaCatalogueEntry> warpgroup_catalogue(int sm_version);

/// The entry of `op`. Throws std::invalid_argument that names the shapes the GPU has for these formats.
MmaCatalogueEntry find_mma(int sm_version, const MmaOp& op);

}  // namespace stc::isa
