// SPDX-License-Identifier: Apache-2.0
// A product with a sparse matrix as a launch: operands packed into the arrays that the kernel reads.
#pragma once

#include "sim/crossover/spmm_operands.h"
#include "sim/launch/prepared_launch.h"

namespace stc::sim {

/// Parts into which sgemm and bitmap cut k, so that few tiles fill `sms` SMs. 1 for the others.
int parts_of_k(const SpmmKernel& kernel, int m, int n, int k, int sms);

/// The kernel fits the sizes (why_unfit). D is zero before the launch, as those need it that add to D. `parts` of k:
/// for sgemm and bitmap alone.
PreparedLaunch prepare_spmm(const SpmmKernel& kernel, const SpmmOperands& operands, int sm_version, int parts);

/// Bytes of the buffers that hold the sparse operands: values, and everything that says where they belong.
struct StorageBytes {
  std::uint64_t values = 0, indices = 0;
};
StorageBytes storage_of(const PreparedLaunch& launch);

}  // namespace stc::sim
