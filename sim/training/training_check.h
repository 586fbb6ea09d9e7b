// SPDX-License-Identifier: Apache-2.0
// Did a launch of a training step leave what it must? Each is compared with a plain host reference made of the very
// buffers that the launch found, so that an error shows where it arises.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/state/global_memory.h"
#include "sim/training/training_step.h"

namespace stc::sim {

/// GEMMs: largest |D - R| / (|R| + rms of R), at most two roundings to f16 (2^-9). Pruning: stored values and metadata
/// give back the matrix, both ways alike, and keep the magnitude that the choice of masks must keep.
struct TrainingCheck {
  double error = 0;     ///< of a GEMM
  std::string failure;  ///< empty: passed
};
constexpr double kTrainingErrorLimit = 0x1p-9;

/// At most `most_products` multiplications: beyond that evenly spread rows of A are checked.
TrainingCheck check_launch(const StepLaunch& launch, isa::GlobalMemory& memory,
                           std::uint64_t most_products = std::uint64_t{1} << 29);

}  // namespace stc::sim
