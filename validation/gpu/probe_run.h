// SPDX-License-Identifier: Apache-2.0
// What the probe programs share: cases on the GPU, and the rows of what came out.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"

namespace stc::gpu_probe {

/// All cases of which there is a hash; made on all cores.
Images bulk_cases(const ProbeOp& op);

/// D of all cases, c_registers words a lane. Throws std::runtime_error.
std::vector<std::uint32_t> run_cases(CUfunction function, const Images& images);

/// ",hash" of each chunk of cases, and the end of the line.
void write_hashes(const ProbeOp& op, const std::vector<std::uint32_t>& d, std::ostream& hashes);
/// D of the first case of each of the first chunks.
void write_golden(const ProbeOp& op, const std::vector<std::uint32_t>& d, std::ostream& golden);
/// A row of a hand-made dot product whose results are `words` words, all of the same value or not.
void write_directed(const ProbeOp& op, const DotCase& dot, const std::uint32_t* d, std::size_t words,
                    std::ostream& csv);

}  // namespace stc::gpu_probe
