// SPDX-License-Identifier: Apache-2.0
// GEMM kernels that no compiler has made: traces/gemm builds them for any N:M pattern, tile and type.
//
//   workload:
//     gemm: {pattern: "2:8", type: f16, tile: [128, 128, 128], warp: [64, 64], stages: 3, m: 1024, n: 1024, k: 1024}
#pragma once

#include <string>

#include "sim/config/config_node.h"
#include "sim/launch/manifest.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::sim {

/// Reads pattern, type, tile, warp ([64, 64] unless given) and stages (3); other keys are left alone.
gemm::GemmSpec read_gemm_spec(const ConfigNode& node);

/// The entry that the library would have for it. UserError, beginning with `place`, when it cannot be built.
LibraryKernel built_kernel(const gemm::GemmSpec& spec, const std::string& place);

}  // namespace stc::sim
