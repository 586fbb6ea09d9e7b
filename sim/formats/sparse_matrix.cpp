// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/sparse_matrix.h"

#include <algorithm>
#include <numeric>

namespace stc::sim {

int SparseMatrix::longest_row() const {
  int longest = 0;
  for (int row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    longest = std::max(longest, offsets[at + 1] - offsets[at]);
  }
  return longest;
}

SparseMatrix sparse_of(const std::vector<float>& dense, int rows, int columns) {
  SparseMatrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.offsets.push_back(0);
  std::size_t at = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column, ++at) {
      if (dense[at] == 0) continue;
      matrix.indices.push_back(static_cast<std::uint32_t>(column));
      matrix.values.push_back(dense[at]);
    }
    matrix.offsets.push_back(static_cast<std::int32_t>(matrix.indices.size()));
  }
  return matrix;
}

std::vector<float> dense_of(const SparseMatrix& matrix) {
  const auto columns = static_cast<std::size_t>(matrix.columns);
  std::vector<float> dense(static_cast<std::size_t>(matrix.rows) * columns);
  const std::vector<std::int32_t> rows = entry_rows(matrix);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    dense[static_cast<std::size_t>(rows[i]) * columns + matrix.indices[i]] = matrix.values[i];
  }
  return dense;
}

SparseMatrix transposed(const SparseMatrix& matrix) {
  SparseMatrix out;
  out.source = matrix.source;
  out.rows = matrix.columns;
  out.columns = matrix.rows;
  out.offsets.assign(static_cast<std::size_t>(matrix.columns) + 1, 0);
  for (const std::uint32_t column : matrix.indices) ++out.offsets[column + 1];
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.indices.resize(matrix.indices.size());
  out.values.resize(matrix.values.size());
  std::vector<std::int32_t> next = out.offsets;
  const std::vector<std::int32_t> rows = entry_rows(matrix);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto to = static_cast<std::size_t>(next[matrix.indices[i]]++);
    out.indices[to] = static_cast<std::uint32_t>(rows[i]);
    out.values[to] = matrix.values[i];
  }
  return out;
}

std::vector<std::int32_t> rows_by_length(const SparseMatrix& matrix) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(matrix.rows));
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](std::int32_t row) {
    return matrix.offsets[static_cast<std::size_t>(row) + 1] - matrix.offsets[static_cast<std::size_t>(row)];
  };
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  return order;
}

std::vector<std::int32_t> entry_rows(const SparseMatrix& matrix) {
  std::vector<std::int32_t> rows;
  rows.reserve(matrix.indices.size());
  for (int row = 0; row < matrix.rows; ++row) {
    rows.resize(static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]), row);
  }
  return rows;
}

EllArrays ell_of(const SparseMatrix& matrix) {
  EllArrays ell;
  ell.width = (matrix.longest_row() + 3) / 4 * 4;
  const auto width = static_cast<std::size_t>(ell.width);
  ell.indices.resize(static_cast<std::size_t>(matrix.rows) * width);
  ell.values.resize(ell.indices.size());
  for (std::size_t row = 0; row < static_cast<std::size_t>(matrix.rows); ++row) {
    const std::ptrdiff_t begin = matrix.offsets[row], end = matrix.offsets[row + 1];
    const auto to = static_cast<std::ptrdiff_t>(row * width);
    std::copy(matrix.indices.begin() + begin, matrix.indices.begin() + end, ell.indices.begin() + to);
    std::copy(matrix.values.begin() + begin, matrix.values.begin() + end, ell.values.begin() + to);
  }
  return ell;
}

BitmapArrays bitmap_of(const SparseMatrix& matrix) {
  constexpr std::size_t kStripRows = 16, kStripColumns = 64, kBlocks = 16, kCtaRows = 128;
  const std::size_t across = (static_cast<std::size_t>(matrix.columns) + kStripColumns - 1) / kStripColumns;
  const std::size_t rows = (static_cast<std::size_t>(matrix.rows) + kCtaRows - 1) / kCtaRows * kCtaRows;
  const std::size_t strips = rows / kStripRows * across;
  BitmapArrays out;
  out.bitmaps.resize(strips * kBlocks);
  const std::vector<std::int32_t> row_of = entry_rows(matrix);
  // The strip, block and bit of every entry as one number that grows in the order of the values.
  std::vector<std::pair<std::uint64_t, float>> placed(row_of.size());
  for (std::size_t i = 0; i < row_of.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(row_of[i]), column = matrix.indices[i];
    const std::size_t strip = row / kStripRows * across + column / kStripColumns;
    const std::size_t block = column % kStripColumns / 16 * 4 + column % 16 / 8 * 2 + row % kStripRows / 8;
    const std::size_t bit = row % 8 * 8 + column % 8;
    out.bitmaps[strip * kBlocks + block] |= std::uint64_t{1} << bit;
    placed[i] = {(strip * kBlocks + block) * 64 + bit, matrix.values[i]};
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  auto next = placed.begin();
  for (std::size_t strip = 0; strip < strips; ++strip) {
    out.offsets.push_back(static_cast<std::uint32_t>(out.values.size()));
    for (; next != placed.end() && next->first / 64 / kBlocks == strip; ++next) out.values.push_back(next->second);
    out.values.resize((out.values.size() + 7) / 8 * 8);
  }
  out.offsets.push_back(static_cast<std::uint32_t>(out.values.size()));
  return out;
}

}  // namespace stc::sim
