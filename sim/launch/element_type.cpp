// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "models/arith/convert.h"

namespace stc::sim {
namespace {

struct Row {
  ElementType type;
  const char* name;
  const char* other_name;
  int bytes;
  bool is_signed;  // integers
  const arith::FloatFormat* format;
};

constexpr Row kRows[] = {
    {ElementType::i8, "i8", "s8", 1, true, nullptr},
    {ElementType::u8, "u8", nullptr, 1, false, nullptr},
    {ElementType::i16, "i16", "s16", 2, true, nullptr},
    {ElementType::u16, "u16", nullptr, 2, false, nullptr},
    {ElementType::i32, "i32", "s32", 4, true, nullptr},
    {ElementType::u32, "u32", nullptr, 4, false, nullptr},
    {ElementType::i64, "i64", "s64", 8, true, nullptr},
    {ElementType::u64, "u64", nullptr, 8, false, nullptr},
    {ElementType::f16, "f16", nullptr, 2, true, &arith::kF16},
    {ElementType::bf16, "bf16", nullptr, 2, true, &arith::kBf16},
    {ElementType::tf32, "tf32", nullptr, 4, true, &arith::kTf32},
    {ElementType::e4m3, "e4m3", nullptr, 1, true, &arith::kE4m3},
    {ElementType::e5m2, "e5m2", nullptr, 1, true, &arith::kE5m2},
    {ElementType::f32, "f32", nullptr, 4, true, &arith::kF32},
    {ElementType::f64, "f64", nullptr, 8, true, nullptr},
};

const Row& row_of(ElementType type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

const char* name_of(ElementType type) { return row_of(type).name; }

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

std::optional<ElementType> element_type_of(std::string_view name) {
  for (const Row& row : kRows) {
    if (name == row.name || (row.other_name != nullptr && name == row.other_name)) return row.type;
  }
  return std::nullopt;
}

int bytes_of(ElementType type) { return row_of(type).bytes; }

bool is_integer(ElementType type) { return type <= ElementType::u64; }

std::int64_t least_of(ElementType type) {
  const Row& row = row_of(type);
  return row.is_signed ? std::numeric_limits<std::int64_t>::min() >> (64 - 8 * row.bytes) : 0;
}

std::int64_t greatest_of(ElementType type) {
  const Row& row = row_of(type);
  const int value_bits = 8 * row.bytes - (row.is_signed ? 1 : 0);
  return value_bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << value_bits) - 1;
}

double greatest_finite(ElementType type) {
  switch (type) {
    case ElementType::f16: return 65504;
    case ElementType::e4m3: return 448;
    case ElementType::e5m2: return 57344;
    case ElementType::bf16: return 0x1.fep127;
    case ElementType::tf32: return 0x1.ffcp127;
    case ElementType::f32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

bool holds(ElementType type, double value) {
  if (!is_integer(type)) return !std::isfinite(value) || std::abs(value) <= greatest_finite(type);
  return value >= static_cast<double>(least_of(type)) && value <= static_cast<double>(greatest_of(type));
}

std::string range_text(ElementType type) {
  if (is_integer(type)) return fmt::format("{} holds {} .. {}", name_of(type), least_of(type), greatest_of(type));
  return fmt::format("{} holds {} .. {}", name_of(type), -greatest_finite(type), greatest_finite(type));
}

std::uint64_t encode_integer(ElementType type, std::int64_t value) {
  if (!is_integer(type)) return encode(type, static_cast<double>(value));
  const int bits = 8 * row_of(type).bytes;
  const auto all = static_cast<std::uint64_t>(value);
  return bits == 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t encode(ElementType type, double value) {
  if (is_integer(type)) return encode_integer(type, static_cast<std::int64_t>(value));
  if (type == ElementType::f64) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const auto single = static_cast<float>(value);
  if (type == ElementType::f32) return arith::bits_of_float(single);
  const arith::FloatFormat* const format = row_of(type).format;
  assert(format != nullptr);
  return arith::from_float(*format, single);
}

double decode(ElementType type, std::uint64_t bits) {
  const Row& row = row_of(type);
  if (is_integer(type)) {
    if (!row.is_signed) return static_cast<double>(bits);
    const int unused = 64 - 8 * row.bytes;
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  if (type == ElementType::f64) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const auto word = static_cast<std::uint32_t>(bits);
  return static_cast<double>(type == ElementType::f32 ? arith::float_of_bits(word)
                                                      : arith::to_float(*row.format, word));
}

namespace {

template <class Bits>
std::vector<std::uint8_t> encode_floats(const std::vector<float>& values, const arith::FloatFormat& format) {
  constexpr std::size_t kAtATime = 256;
  std::vector<std::uint8_t> bytes(values.size() * sizeof(Bits));
  for (std::size_t first = 0; first < values.size(); first += kAtATime) {
    const std::size_t n = std::min(kAtATime, values.size() - first);
    std::uint32_t words[kAtATime];
    Bits bits[kAtATime];
    arith::from_floats(format, &values[first], n, words);
    std::copy_n(words, n, bits);
    std::memcpy(&bytes[first * sizeof(Bits)], bits, n * sizeof(Bits));
  }
  return bytes;
}

}  // namespace

std::vector<std::uint8_t> encode_elements(const std::vector<float>& values, ElementType type) {
  const Row& row = row_of(type);
  if (row.format != nullptr && type != ElementType::f32) {
    if (row.bytes == 1) return encode_floats<std::uint8_t>(values, *row.format);
    if (row.bytes == 2) return encode_floats<std::uint16_t>(values, *row.format);
    return encode_floats<std::uint32_t>(values, *row.format);
  }
  const auto width = static_cast<std::size_t>(row.bytes);
  std::vector<std::uint8_t> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = encode(type, static_cast<double>(values[i]));
    std::memcpy(&bytes[i * width], &bits, width);
  }
  return bytes;
}

void round_elements(std::vector<float>& values, ElementType type) {
  const arith::FloatFormat* const format = row_of(type).format;
  if (format != nullptr && type != ElementType::f32) return arith::round_floats(*format, values.data(), values.size());
  for (float& value : values) value = static_cast<float>(decode(type, encode(type, static_cast<double>(value))));
}

}  // namespace stc::sim
