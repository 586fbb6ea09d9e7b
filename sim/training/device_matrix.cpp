// SPDX-License-Identifier: Apache-2.0
#include "sim/training/device_matrix.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "sim/launch/element_type.h"

namespace stc::sim {
namespace {

template <class T>
T read_at(const isa::Allocation& buffer, std::size_t index) {
  T value{};
  if ((index + 1) * sizeof(T) > buffer.data.size()) throw std::out_of_range(buffer.name);
  std::memcpy(&value, &buffer.data[index * sizeof(T)], sizeof(T));
  return value;
}

float half_at(const isa::Allocation& buffer, std::size_t index) {
  return static_cast<float>(decode(ElementType::f16, read_at<std::uint16_t>(buffer, index)));
}

WeightMatrix empty_matrix(const std::string& source, int rows, int columns) {
  WeightMatrix matrix{source, rows, columns, {}};
  matrix.values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  return matrix;
}

}  // namespace

WeightMatrix read_matrix(isa::GlobalMemory& memory, const std::string& buffer, int rows, int columns) {
  WeightMatrix matrix = empty_matrix(buffer, rows, columns);
  const isa::Allocation& from = *memory.find(buffer);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = half_at(from, i);
  return matrix;
}

WeightMatrix read_compressed(isa::GlobalMemory& memory, const std::string& values, const std::string& metadata,
                             int rows, int k) {
  WeightMatrix matrix = empty_matrix(values, rows, k);
  const isa::Allocation &stored = *memory.find(values), &words = *memory.find(metadata);
  for (int row = 0; row < rows; ++row) {
    for (int group = 0; group < k; group += 4) {
      const int lane = row % 8 * 4 + group % 64 / 16, shift = row % 16 / 8 * 16 + group % 16;
      const int word = (group / 64 * (rows / 16) + row / 16) * 32 + lane;
      const std::uint32_t nibble = read_at<std::uint32_t>(words, static_cast<std::size_t>(word)) >> shift & 15U;
      if ((nibble & 3U) >= nibble >> 2U) {
        throw std::invalid_argument(fmt::format("{}: row {}, k {} has metadata {:#x}", metadata, row, group, nibble));
      }
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(k) + static_cast<std::size_t>(group);
      matrix.values[at + (nibble & 3U)] = half_at(stored, at / 2);
      matrix.values[at + (nibble >> 2U)] = half_at(stored, at / 2 + 1);
    }
  }
  return matrix;
}

WeightMatrix transposed(const WeightMatrix& matrix) {
  WeightMatrix out = empty_matrix(matrix.source, matrix.columns, matrix.rows);
  const auto rows = static_cast<std::size_t>(matrix.rows), columns = static_cast<std::size_t>(matrix.columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) out.values[c * rows + r] = matrix.values[r * columns + c];
  }
  return out;
}

}  // namespace stc::sim
