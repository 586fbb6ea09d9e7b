// SPDX-License-Identifier: Apache-2.0
// D[m,n] = A[m,k] x B[k,n] with a kernel of the library: sizes checked, matrices made, buffers laid out as the kernel
// expects them (traces/kernels/README.md): A row-major and, if sparse, compressed with its metadata packed into
// register images; B column-major; D row-major.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/launch/manifest.h"
#include "sim/launch/prepared_launch.h"
#include "sim/launch/run_file.h"

namespace stc::sim {

struct GemmProblem {
  LibraryKernel kernel;
  int m = 0, n = 0, k = 0;
  std::uint64_t seed = 1;
  bool integers = false;                       ///< whole numbers, so that D is exact in every order of summation
  double low = 0, high = 0;                    ///< range of the inputs, ends included when whole
  std::shared_ptr<const GivenMatrices> given;  ///< the operands; none: drawn from `seed`
};

/// Finds the kernel and checks every size and range; UserError with the place in the run file.
GemmProblem resolve_gemm(const GemmPlan& plan, const Manifest& manifest);

/// The kernel that differs in nothing but being dense, from the library or built; nothing if the library has none.
std::optional<LibraryKernel> dense_twin(const LibraryKernel& kernel, const Manifest& manifest);

/// The same problem with another kernel of the library (the dense twin).
GemmProblem with_kernel(const GemmProblem& problem, const LibraryKernel& kernel);

/// The operands as numbers, exactly as the element type holds them.
struct GemmMatrices {
  std::vector<float> a;               ///< [m][k], pruned: zero where nothing is stored
  std::vector<float> b;               ///< [n][k]: column-major B
  std::vector<std::uint8_t> indices;  ///< positions of the stored weights; empty if dense
};
/// A from stream 1 and B from stream 2 of the seed; A is pruned by magnitude to the kernel's pattern. Given ones stay
/// as they are.
GemmMatrices make_matrices(const GemmProblem& problem);

/// Bytes that the launch takes in the host's memory: A, B, D and metadata; with values also the operands as numbers,
/// the masks and what pruning A needs for a while.
double host_bytes(const GemmProblem& problem, bool values);

/// The launch on a GPU of this SM version. Without matrices all buffers are zero, which changes no address.
PreparedLaunch prepare_gemm(const GemmProblem& problem, int sm_version, const GemmMatrices* matrices);

}  // namespace stc::sim
