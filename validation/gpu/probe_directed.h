// SPDX-License-Identifier: Apache-2.0
// Directed cases: hand-made operands that tell hypotheses about the arithmetic and the metadata apart.
#pragma once

#include <string>
#include <vector>

#include "validation/gpu/probe_cases.h"

namespace stc::gpu_probe {

/// One dot product, the same in every row and column of the tile.
struct DotCase {
  std::string probe;         ///< P1 .. P8
  std::string detail;        ///< what it holds, in words or numbers
  std::vector<double> a, b;  ///< stored elements in order; shorter than the op's depth means zeros follow
  double c = 0;
  std::vector<std::uint32_t> a_bits, b_bits;  ///< used instead of `a`, `b` when not empty
  bool c_is_bits = false;
  std::uint32_t c_bits = 0;
};

/// The directed dot products that make sense for `op`.
std::vector<DotCase> directed_cases(const ProbeOp& op);

/// Stored elements per row of A.
int stored_depth(const ProbeOp& op);

/// Writes `dot` into place `slot`: every row, every column; sparse ops with nibble 0x4 in every group.
void write_dot(const ProbeOp& op, const DotCase& dot, Images& images, std::size_t slot);

/// Probe of the selection: row m keeps only stored element m + 16 * batch (value 1), every group has `nibble`, and
/// B[k][n] = 1 + digit `pass` (base 4) of k; so D tells which k the element met.
void write_selection(const ProbeOp& op, int nibble, int batch, int pass, Images& images, std::size_t slot);
constexpr int kSelectionPasses = 4;

/// D[row][0] of a case as a number (exact for the small integers of the selection probe).
double result_of_row(const ProbeOp& op, const std::uint32_t* d_image, int row);

}  // namespace stc::gpu_probe
