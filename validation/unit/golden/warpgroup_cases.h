// SPDX-License-Identifier: Apache-2.0
// What an H200's warpgroup matrix instructions gave (validation/measured/h200/wgmma_*) and the same through the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/mma/mma_op.h"
#include "validation/gpu/probe_wgmma_cases.h"
#include "validation/unit/golden/silicon_cases.h"

namespace stc::golden {

/// What one warp computes of it: 16 rows, 8 columns.
isa::MmaOp warpgroup_op(const gpu_probe::ProbeOp& op);

/// D of `cases` by the model, computed `as` said. `sharing` consecutive cases have the B of the first of them.
std::vector<std::uint32_t> warpgroup_results(const gpu_probe::ProbeOp& op, const isa::MmaOp& as,
                                             const gpu_probe::Images& cases, std::size_t sharing);

/// As measured_golden() and measured_hashes().
std::vector<std::uint32_t> measured_warpgroup_golden(const gpu_probe::ProbeOp& op);
std::vector<std::uint64_t> measured_warpgroup_hashes(const gpu_probe::ProbeOp& op);

/// A row of wgmma_layout.csv.
struct LayoutRow {
  std::string operand;  ///< "a", "b"
  int element_bytes = 0;
  int lines = 0;  ///< rows of A, columns of B
  bool mn_major = false;
  std::uint64_t descriptor = 0;
  std::uint32_t first = 0, last = 0;  ///< numbers of elements
  std::uint64_t hash = 0;             ///< of all numbers
};
std::vector<LayoutRow> measured_layouts();

}  // namespace stc::golden
