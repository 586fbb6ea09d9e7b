// SPDX-License-Identifier: Apache-2.0
// The operands of one product with a sparse matrix, as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/crossover/spmm_library.h"
#include "sim/formats/sparse_matrix.h"

namespace stc::sim {

/// D[m,n] = A[m,k] x B[k,n]. The sparse operand is A; with csc it is B, with csr_csr both are. The other is dense.
struct SpmmOperands {
  int m = 0, n = 0, k = 0;
  SparseMatrix sparse_a, sparse_b;      ///< those that the format reads; the other is empty
  std::vector<float> dense_a, dense_b;  ///< row-major; the same
  bool integers = true;                 ///< whole numbers whose sums are exact in f32
};

/// `sparse` is A[m,k]; csc takes it as B[k,n] and draws A. Its values are rounded to the kernel's element type. What is
/// drawn depends on the seed; a second sparse matrix has the density of the first.
SpmmOperands spmm_operands(const SpmmKernel& kernel, SparseMatrix sparse, bool integers, int m, int n, int k,
                           std::uint64_t seed);

/// Those with which spmm_check.cu measures: every sparse operand has this share of zeros.
SpmmOperands measured_spmm_operands(const SpmmKernel& kernel, int m, int n, int k, double sparsity);

}  // namespace stc::sim
