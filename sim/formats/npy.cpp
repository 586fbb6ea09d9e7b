// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/element_type.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostNpyElements = std::int64_t{1} << 31;

/// The header is a Python dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape': (64, 128), }
class NpyFile {
 public:
  explicit NpyFile(const std::string& path) : path_(path), bytes_(read_bytes(path)) {
    if (bytes_.size() < 10 || std::memcmp(bytes_.data(), "\x93NUMPY", 6) != 0) {
      fail("is no .npy file (it must begin with \\x93NUMPY)");
    }
    const int version = bytes_[6];
    if (version < 1 || version > 3) fail(fmt::format("has .npy version {}, known are 1 to 3", version));
    const std::size_t start = version == 1 ? 10 : 12;
    if (bytes_.size() < start) fail("ends inside the header");
    std::size_t length = 0;
    for (std::size_t i = start; i-- > 8;) length = length << 8U | bytes_[i];
    if (length > bytes_.size() - start) fail("ends inside the header");
    header_.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(start),
                   bytes_.begin() + static_cast<std::ptrdiff_t>(start + length));
    data_ = start + length;
  }

  [[noreturn]] void fail(const std::string& why) const { throw UserError(fmt::format("{}: {}", path_, why)); }

  ElementType element() const {
    const std::string descr = quoted("descr");
    if (descr == "<f4") return ElementType::f32;
    if (descr == "<f2") return ElementType::f16;
    fail(fmt::format("holds elements '{}', but must hold '<f4' (float32) or '<f2' (float16)", descr));
  }

  bool fortran_order() const {
    const std::string rest = after("fortran_order");
    if (rest.rfind("True", 0) == 0) return true;
    if (rest.rfind("False", 0) == 0) return false;
    fail("has a header whose 'fortran_order' is neither True nor False");
  }

  std::vector<int> shape() const {
    const std::string rest = after("shape");
    const std::size_t close = rest.find(')');
    if (rest.empty() || rest[0] != '(' || close == std::string::npos) fail("has a header without a readable 'shape'");
    std::vector<int> sizes;
    for (std::string word : split(rest.substr(1, close - 1), ',')) {
      word.erase(0, word.find_first_not_of(' '));
      if (word.empty()) continue;  // a tuple may end in a comma
      const auto size = parse_integer(word);
      if (!size || *size < 0 || *size >= kMostNpyElements) fail(fmt::format("has a dimension '{}' in 'shape'", word));
      sizes.push_back(static_cast<int>(*size));
    }
    return sizes;
  }

  const std::uint8_t* data(std::size_t bytes) const {
    const std::size_t have = bytes_.size() - data_;
    if (have != bytes) fail(fmt::format("holds {} bytes of data, but its shape and type need {}", have, bytes));
    return bytes_.data() + data_;
  }

 private:
  std::string after(const std::string& key) const {
    const std::size_t found = header_.find("'" + key + "':");
    if (found == std::string::npos) fail(fmt::format("has a header without '{}'", key));
    const std::size_t value = header_.find_first_not_of(' ', found + key.size() + 3);
    return value == std::string::npos ? "" : header_.substr(value);
  }
  std::string quoted(const std::string& key) const {
    const std::string rest = after(key);
    const std::size_t close = rest.find('\'', 1);
    if (rest.empty() || rest[0] != '\'' || close == std::string::npos) {
      fail(fmt::format("has a header whose '{}' is no plain type (structured arrays are not weights)", key));
    }
    return rest.substr(1, close - 1);
  }

  std::string path_;
  std::vector<std::uint8_t> bytes_;
  std::string header_;
  std::size_t data_ = 0;
};

}  // namespace

WeightMatrix read_npy(const std::string& path) {
  const NpyFile file(path);
  const ElementType element = file.element();
  const bool transposed = file.fortran_order();
  const std::vector<int> shape = file.shape();
  if (shape.size() != 2) file.fail(fmt::format("has {} dimensions, but a weight matrix has 2", shape.size()));
  WeightMatrix weights;
  weights.source = path;
  weights.rows = shape[0];
  weights.columns = shape[1];
  const std::int64_t elements = std::int64_t{shape[0]} * shape[1];
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
