// SPDX-License-Identifier: Apache-2.0
// Is D right? A plain float64 product of the decompressed matrices against what the kernel left in D.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/state/buffer_bytes.h"
#include "sim/launch/gemm_workload.h"

namespace stc::sim {

/// Whole-number inputs must give exactly the reference. Otherwise |D - R| / |R| (Frobenius norms over the checked rows)
/// must not exceed `limit`, see gemm_error_limit.
struct GemmCheck {
  bool passed = false;
  bool exact = false;  ///< compared for equality
  double error = 0;    ///< relative norm of the difference
  double limit = 0;
  int rows = 0;  ///< rows of D compared; all unless the product is very large
  int rows_in_all = 0;
  std::string first_mismatch;  ///< exact only: "D[3,7] is 12, must be 13"
};

/// What the rounding of the hardware itself costs, at least 1e-6. A tensor core truncates: once per block of products
/// to f32, and each product to F bits below the largest term (arith::FusedDotRules). The first loss always points to
/// zero, 2^-24 of the running sum on average; the second has the products' signs, so that it cancels when they do. The
/// limit is twice to three times what bit-exact results show (1.7e-6 for a dense k = 1024 on an A100).
double gemm_error_limit(const GemmProblem& problem, const arith::Numerics& numerics);

/// At most `most_products` multiplications: beyond that, evenly spread rows are checked, the same ones in every run.
GemmCheck check_gemm(const GemmProblem& problem, const arith::Numerics& numerics, const GemmMatrices& matrices,
                     const isa::BufferBytes& d, std::uint64_t most_products = std::uint64_t{1} << 31);

}  // namespace stc::sim
