// SPDX-License-Identifier: Apache-2.0
// The warpgroup matrix instructions as probe operations: each warp's 16 rows are a case of probe_cases.h, and the B of
// the first of four consecutive cases is that of all four.
#pragma once

#include <vector>

#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"

namespace stc::gpu_probe {

/// All of probe_wgmma_ops.h, dense first. `kernel` is without "probe_rs_" or "probe_ss_".
const std::vector<ProbeOp>& wgmma_probe_ops();

/// The directed dot products of `op`, with those that tell apart how 8-bit floats are cut.
std::vector<DotCase> directed_wgmma_cases(const ProbeOp& op);

}  // namespace stc::gpu_probe
