// SPDX-License-Identifier: Apache-2.0
// What an H200's matrix instructions gave (validation/measured/h200) and the same cases through the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/arith/numerics.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpus.h"

namespace stc::golden {

/// D of `cases` by the model, [case][lane][register] as the hardware's.
std::vector<std::uint32_t> model_results(const gpu_probe::ProbeOp& op, const gpu_probe::Images& cases,
                                         const arith::Numerics& numerics = validation::h200().numerics);

/// The inputs of the golden cases.
gpu_probe::Images golden_cases(const gpu_probe::ProbeOp& op);

/// Measured D of the golden cases: case n is number n * kChunk. Throws std::runtime_error if the file does not fit.
std::vector<std::uint32_t> measured_golden(const gpu_probe::ProbeOp& op);

/// Measured hash of every chunk of cases of `op`.
std::vector<std::uint64_t> measured_hashes(const gpu_probe::ProbeOp& op);

/// A row of mma_directed.csv or mma_selection.csv, split at commas outside quotes.
using Row = std::vector<std::string>;
std::vector<Row> measured_rows(const std::string& file, const gpu_probe::ProbeOp& op, std::size_t op_column);

}  // namespace stc::golden
