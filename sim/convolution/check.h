// SPDX-License-Identifier: Apache-2.0
// Is D right? A plain direct convolution in float64 against what the kernel left in D.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/convolution/problem.h"
#include "sim/launch/gemm_check.h"

namespace stc::sim {

/// Whole-number inputs must give exactly the rounded sum. Otherwise |D - R| / |R| (Frobenius norms over the checked
/// pixels) must not exceed what the tensor core's truncation (gemm_error_limit) and rounding D to f16 cost. At most
/// `most_products` multiplications: beyond that, evenly spread pixels are checked, the same ones in every run.
/// GemmCheck's rows are pixels here.
GemmCheck check_convolution(const ConvolutionProblem& problem, const arith::Numerics& numerics,
                            const ConvolutionTensors& tensors, const isa::BufferBytes& d,
                            std::uint64_t most_products = std::uint64_t{1} << 31);

}  // namespace stc::sim
