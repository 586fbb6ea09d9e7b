// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/npy_file.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6, kLengthAt = 8, kHeaderAt = 10, kLongHeaderAt = 12, kHeaderUnit = 64;
constexpr int kLastVersion = 3;

std::string numpy_name(ElementType type) {
  const char kind = !is_integer(type) ? 'f' : least_of(type) < 0 ? 'i' : 'u';
  return fmt::format("{}{}{}", bytes_of(type) == 1 ? '|' : '<', kind, bytes_of(type));
}

}  // namespace

NpyFile::NpyFile(std::string path, std::vector<std::uint8_t> bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {
  if (bytes_.size() < kHeaderAt || std::memcmp(bytes_.data(), kMagic, kMagicBytes) != 0) {
    fail("is no .npy file; it must be one whole .npy file of NumPy, which begins with \\x93NUMPY");
  }
  const int version = bytes_[kMagicBytes];
  if (version < 1 || version > kLastVersion) fail(fmt::format("has .npy version {}, known are 1 to 3", version));
  const std::size_t start = version == 1 ? kHeaderAt : kLongHeaderAt;  // which the width of the header's length decides
  if (bytes_.size() < start) fail_damaged("it ends inside the header");
  std::size_t length = 0;
  for (std::size_t i = start; i-- > kLengthAt;) length = length << 8U | bytes_[i];
  if (length > bytes_.size() - start) fail_damaged("it ends inside the header");
  header_.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(start),
                 bytes_.begin() + static_cast<std::ptrdiff_t>(start + length));
  data_ = start + length;
}

void NpyFile::fail(const std::string& why) const { throw UserError(fmt::format("{}: {}", path_, why)); }

void NpyFile::fail_damaged(const std::string& why) const {
  fail(fmt::format("is cut off or damaged; it must be one whole .npy file of NumPy ({})", why));
}

std::string NpyFile::after(const std::string& key) const {
  const std::string quoted = "'" + key + "':";
  const std::size_t found = header_.find(quoted);
  if (found == std::string::npos) fail_damaged(fmt::format("its header has no '{}'", key));
  const std::size_t value = header_.find_first_not_of(' ', found + quoted.size());
  return value == std::string::npos ? "" : header_.substr(value);
}

std::string NpyFile::type() const {
  const std::string rest = after("descr");
  const std::size_t close = rest.find('\'', 1);
  if (rest.empty() || rest[0] != '\'' || close == std::string::npos) {
    fail("has a header whose 'descr' is no plain type (structured arrays are not allowed)");
  }
  return rest.substr(1, close - 1);
}

bool NpyFile::fortran_order() const {
  const std::string rest = after("fortran_order");
  if (rest.rfind("True", 0) == 0) return true;
  if (rest.rfind("False", 0) == 0) return false;
  fail_damaged("'fortran_order' in its header is neither True nor False");
}

std::vector<std::int64_t> NpyFile::shape(std::int64_t most) const {
  const std::string rest = after("shape");
  const std::size_t close = rest.find(')');
  if (rest.empty() || rest[0] != '(' || close == std::string::npos) fail_damaged("its header has no readable 'shape'");
  std::vector<std::int64_t> sizes;
  for (std::string word : split(rest.substr(1, close - 1), ',')) {
    word.erase(0, word.find_first_not_of(' '));
    if (word.empty()) continue;  // a tuple may end in a comma
    const auto size = parse_integer(word);
    if (!size || *size < 0 || *size > most) fail_damaged(fmt::format("a dimension of its 'shape' is '{}'", word));
    sizes.push_back(*size);
  }
  return sizes;
}

const std::uint8_t* NpyFile::data(std::size_t bytes) const {
  if (data_bytes() != bytes) {
    fail_damaged(fmt::format("it holds {} bytes of data, but its shape and type need {}", data_bytes(), bytes));
  }
  return bytes_.data() + data_;
}

bool numpy_has(ElementType type) {
  return is_integer(type) || type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64;
}

std::vector<std::uint8_t> numpy_file(ElementType type, const std::vector<std::uint64_t>& shape,
                                     const std::vector<std::uint8_t>& bytes) {
  std::string sizes;
  for (const std::uint64_t size : shape) sizes += fmt::format("{}, ", size);  // a tuple of one has its comma
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", numpy_name(type), sizes);
  header.append(kHeaderUnit - (kHeaderAt + header.size() + 1) % kHeaderUnit, ' ');
  header += '\n';
  const char version_and_length[] = {1, 0, static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  header.insert(0, version_and_length, sizeof version_and_length);
  header.insert(0, kMagic, kMagicBytes);
  std::vector<std::uint8_t> file(header.begin(), header.end());
  file.insert(file.end(), bytes.begin(), bytes.end());
  return file;
}

}  // namespace stc::sim
