// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/expectation.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/launch/config_values.h"
#include "sim/launch/data_file.h"

namespace stc::sim {
namespace {

std::uint64_t element_bits(const std::uint8_t* bytes, std::uint64_t index, std::size_t width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + index * width, width);
  return bits;
}

/// How far off a value is, in units of the greater of 1 and what was expected.
double error_of(double value, double expected) {
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
  const double error = std::abs(value - expected) / std::fmax(1, std::abs(expected));
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

std::string element_text(std::uint64_t bits, const std::optional<ElementType>& type) {
  return type ? fmt::format("{:.9g}", decode(*type, bits)) : fmt::format("0x{:02x}", bits);
}

}  // namespace

Expectation read_expectation(const ConfigNode& node) {
  node.allow_keys({"buffer", "file", "type", "tolerance"});
  Expectation expectation;
  expectation.place = node.where();
  expectation.buffer = node.at("buffer").text();
  expectation.file = node.at("file").file_path();
  if (const auto type = node.find("type")) expectation.type = read_element_type(*type);
  if (const auto tolerance = node.find("tolerance")) {
    expectation.tolerance = tolerance->number();
    if (expectation.tolerance < 0) tolerance->fail(fmt::format("is {}, but must not be negative", tolerance->text()));
    if (!expectation.type) tolerance->fail("needs a 'type': bytes are compared bit for bit");
  }
  return expectation;
}

void load_expectation(Expectation& expectation, std::uint64_t buffer_bytes) {
  expectation.bytes = read_data(expectation.file, expectation.place);
  if (expectation.bytes.size() != buffer_bytes) {
    throw UserError(fmt::format("{}: {} has {} bytes, but buffer '{}' has {}", expectation.place, expectation.file,
                                expectation.bytes.size(), expectation.buffer, buffer_bytes));
  }
  const std::size_t width = expectation.type ? static_cast<std::size_t>(bytes_of(*expectation.type)) : 1;
  if (buffer_bytes % width != 0) {
    throw UserError(fmt::format("{}: buffer '{}' has {} bytes, which is no multiple of the {} of an {}",
                                expectation.place, expectation.buffer, buffer_bytes, width,
                                name_of(*expectation.type)));
  }
}

ExpectationResult check_expectation(const Expectation& expectation, const isa::BufferBytes& contents) {
  const std::size_t width = expectation.type ? static_cast<std::size_t>(bytes_of(*expectation.type)) : 1;
  ExpectationResult result;
  result.buffer = expectation.buffer;
  result.elements = contents.size() / width;
  for (std::uint64_t i = 0; i < result.elements; ++i) {
    const std::uint64_t is = element_bits(contents.data(), i, width);
    const std::uint64_t must = element_bits(expectation.bytes.data(), i, width);
    if (is == must) continue;
    const double error =
        expectation.type ? error_of(decode(*expectation.type, is), decode(*expectation.type, must)) : 0;
    result.greatest_error = std::fmax(result.greatest_error, error);
    if (expectation.tolerance > 0 && error <= expectation.tolerance) continue;
    if (result.wrong++ == 0) {
      result.first_mismatch = fmt::format("{} {} is {}, must be {}", expectation.type ? "element" : "byte", i,
                                          element_text(is, expectation.type), element_text(must, expectation.type));
    }
  }
  result.passed = result.wrong == 0;
  return result;
}

}  // namespace stc::sim
