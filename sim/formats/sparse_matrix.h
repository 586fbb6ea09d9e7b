// SPDX-License-Identifier: Apache-2.0
// A matrix of which most elements are zero, as rows of entries, and the arrays that the kernels of the family spmm read
// (validation/kernels/spmm_*.cuh). No errors here: who reads a matrix checks it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::sim {

/// Compressed sparse rows: row r has entries offsets[r] to offsets[r + 1], columns ascending, none twice.
struct SparseMatrix {
  std::string source;  ///< "graph.mtx" or "random, seed 1"
  int rows = 0;
  int columns = 0;
  std::vector<std::int32_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<float> values;

  std::int64_t entries() const { return static_cast<std::int64_t>(indices.size()); }
  double density() const { return static_cast<double>(entries()) / (static_cast<double>(rows) * columns); }
  int longest_row() const;
};

/// Entries are the elements that are not zero. `dense` is [rows][columns].
SparseMatrix sparse_of(const std::vector<float>& dense, int rows, int columns);
std::vector<float> dense_of(const SparseMatrix& matrix);
SparseMatrix transposed(const SparseMatrix& matrix);

/// Rows from the longest to the shortest, equal ones in their order: the rows of a warp are then about as long.
std::vector<std::int32_t> rows_by_length(const SparseMatrix& matrix);

/// The row of every entry.
std::vector<std::int32_t> entry_rows(const SparseMatrix& matrix);

/// Every row has `width` entries, the length of the longest rounded up to four; unused ones have index and value 0.
struct EllArrays {
  int width = 0;
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
};
EllArrays ell_of(const SparseMatrix& matrix);

/// Strips of 16 rows x 64 columns, numbered [row / 16][column / 64]; rows are padded to 128, columns to 64. A strip has
/// 16 bitmaps, one for each 8 x 8 block, in the order in which mma.m16n8k16 takes them; bit 8 row + column of the
/// block. Values lie in the order of the bits, those of a strip from offsets[strip] on, padded to multiples of eight.
struct BitmapArrays {
  std::vector<std::uint32_t> offsets;  ///< strips + 1
  std::vector<std::uint64_t> bitmaps;
  std::vector<float> values;
};
BitmapArrays bitmap_of(const SparseMatrix& matrix);

}  // namespace stc::sim
