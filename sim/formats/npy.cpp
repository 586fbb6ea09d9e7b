// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "sim/base/files.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/element_type.h"
#include "sim/launch/npy_file.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostNpyElements = std::int64_t{1} << 31, kMostNpySize = kMostNpyElements - 1;

ElementType element_of(const NpyFile& file) {
  const std::string type = file.type();
  if (type == "<f4") return ElementType::f32;
  if (type == "<f2") return ElementType::f16;
  file.fail(fmt::format("holds elements '{}', but must hold '<f4' (float32) or '<f2' (float16)", type));
}

}  // namespace

WeightMatrix read_npy(const std::string& path) {
  const NpyFile file(path, read_bytes(path));
  const ElementType element = element_of(file);
  const bool transposed = file.fortran_order();
  const std::vector<std::int64_t> shape = file.shape(kMostNpySize);
  if (shape.size() != 2) file.fail(fmt::format("has {} dimensions, but a weight matrix has 2", shape.size()));
  WeightMatrix weights;
  weights.source = path;
  weights.rows = static_cast<int>(shape[0]);
  weights.columns = static_cast<int>(shape[1]);
  const std::int64_t elements = shape[0] * shape[1];
  if (elements == 0) file.fail(fmt::format("is empty ({} x {})", shape[0], shape[1]));
  if (elements > kMostNpyElements) file.fail(fmt::format("has {} elements, more than 2^31", elements));
  const auto width = static_cast<std::size_t>(bytes_of(element));
  const std::uint8_t* data = file.data(static_cast<std::size_t>(elements) * width);
  weights.values.resize(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data + i * width, width);
    const auto rows = static_cast<std::size_t>(weights.rows);
    const auto columns = static_cast<std::size_t>(weights.columns);
    const std::size_t row = transposed ? i % rows : i / columns;
    const std::size_t column = transposed ? i / rows : i % columns;
    const auto value = static_cast<float>(decode(element, bits));
    if (!std::isfinite(value))
      file.fail(fmt::format("row {}, column {} is {}, not a finite number", row, column, value));
    weights.values[row * columns + column] = value;
  }
  return weights;
}

}  // namespace stc::sim
