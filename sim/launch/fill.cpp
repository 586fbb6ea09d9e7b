// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/launch/config_values.h"
#include "sim/launch/data_file.h"
#include "sim/launch/random.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// A value that `type` can hold; whole if the type is. `special`: inf and nan are values of floats.
double read_value(const ConfigNode& node, ElementType type, bool whole, bool special = false) {
  const double value = special && !is_integer(type) ? node.number_or_special() : node.number();
  if ((whole || is_integer(type)) && value != std::floor(value))
    node.fail(fmt::format("must be whole, but is {}", value));
  if (!holds(type, value)) node.fail(fmt::format("is {}, but {}", node.text(), range_text(type)));
  return value;
}

void read_range(const ConfigNode& node, Fill& fill, bool whole, double low, double high) {
  if (const auto seed = node.find("seed")) fill.seed = static_cast<std::uint64_t>(seed->integer(0, kMost));
  const auto low_node = node.find("low");
  const auto high_node = node.find("high");
  fill.low = low_node ? read_value(*low_node, fill.type, whole) : low;
  fill.high = high_node ? read_value(*high_node, fill.type, whole) : high;
  if (fill.low > fill.high) {
    node.fail(fmt::format("has low {} and high {}; low must not exceed high", fill.low, fill.high));
  }
}

std::vector<std::string> fill_names() {
  std::vector<std::string> names = {"zero", "constant", "sequence", "integers", "random_bits", "file"};
  for (const std::string& type : element_type_names()) names.push_back("random_" + type);
  return names;
}

Fill read_parameters(const std::string& name, const ConfigNode& node) {
  Fill fill;
  if (name == "constant") {
    fill.kind = Fill::Kind::kConstant;
    node.allow_keys({"type", "value"});
    fill.type = read_element_type(node.at("type"));
    fill.low = read_value(node.at("value"), fill.type, false, true);
  } else if (name == "sequence") {
    fill.kind = Fill::Kind::kSequence;
    node.allow_keys({"type", "start", "step"});
    fill.type = read_element_type(node.at("type"));
    fill.low = read_value(node.at("start"), fill.type, false);
    fill.high = node.at("step").number();
    if (is_integer(fill.type) && fill.high != std::floor(fill.high)) {
      node.at("step").fail(fmt::format("must be whole, but is {}", fill.high));
    }
  } else if (name == "integers") {
    fill.kind = Fill::Kind::kIntegers;
    node.allow_keys({"type", "seed", "low", "high"});
    fill.type = read_element_type(node.at("type"));
    const bool negatives = !is_integer(fill.type) || least_of(fill.type) < 0;
    read_range(node, fill, true, negatives ? -4 : 0, 4);
  } else if (name == "random_bits") {
    fill.kind = Fill::Kind::kRandomBits;
    node.allow_keys({"seed"});
    if (const auto seed = node.find("seed")) fill.seed = static_cast<std::uint64_t>(seed->integer(0, kMost));
  } else if (name == "file") {
    fill.kind = Fill::Kind::kFile;
    fill.file = node.file_path();
  } else {
    const auto type = name.rfind("random_", 0) == 0 ? element_type_of(name.substr(7)) : std::nullopt;
    if (!type) node.fail(unknown_word("fill", name, fill_names()));
    fill.type = *type;
    fill.kind = is_integer(fill.type) ? Fill::Kind::kIntegers : Fill::Kind::kRandom;
    node.allow_keys({"seed", "low", "high"});
    const bool wide = bytes_of(fill.type) > 4;  // the generator's span is 32 bits
    const double low = wide ? 0.0 : static_cast<double>(least_of(fill.type));
    const double high = wide ? 4294967295.0 : static_cast<double>(greatest_of(fill.type));
    is_integer(fill.type) ? read_range(node, fill, true, low, high) : read_range(node, fill, false, -1, 1);
  }
  if (fill.kind == Fill::Kind::kIntegers && fill.high - fill.low > 4294967295.0) {
    node.fail(fmt::format("spans {} .. {}; at most 2^32 different values are possible", fill.low, fill.high));
  }
  return fill;
}

void require_end_of_sequence(const Fill& fill, std::size_t elements) {
  if (elements == 0) return;
  const double last = fill.low + fill.high * static_cast<double>(elements - 1);
  if (holds(fill.type, last)) return;
  throw UserError(
      fmt::format("{}: the last of {} elements is {}, but {}", fill.place, elements, last, range_text(fill.type)));
}

template <class Value>
void for_each_element(std::vector<std::uint8_t>& data, int bytes, Value value) {
  const auto width = static_cast<std::size_t>(bytes);
  for (std::size_t i = 0; i < data.size() / width; ++i) {
    const std::uint64_t bits = value(static_cast<std::uint64_t>(i));
    std::memcpy(&data[i * width], &bits, width);  // little-endian, as the device is
  }
}

}  // namespace

Fill read_fill(const ConfigNode& node) {
  if (node.is_scalar()) {
    const std::vector<std::string> names = fill_names();
    if (node.text() == "zero") return {};
    if (std::find(names.begin(), names.end(), node.text()) == names.end()) {
      node.fail(unknown_word("fill", node.text(), names));
    }
    node.fail(fmt::format("must state what '{}' needs, such as {{{}: {{...}}}}", node.text(), node.text()));
  }
  node.allow_keys(fill_names());
  const auto items = node.items();
  if (items.size() != 1) node.fail(fmt::format("must name exactly one fill, but names {}", items.size()));
  if (items[0].first == "zero") items[0].second.fail("takes nothing; write 'fill: zero'");
  Fill fill = read_parameters(items[0].first, items[0].second);
  fill.place = node.where();
  return fill;
}

Fill read_file_fill(const ConfigNode& file) {
  Fill fill;
  fill.kind = Fill::Kind::kFile;
  fill.file = file.file_path();
  fill.place = file.where();
  return fill;
}

void apply_fill(const Fill& fill, std::vector<std::uint8_t>& data) {
  const Random random(fill.seed, fill.stream);
  const int bytes = bytes_of(fill.type);
  switch (fill.kind) {
    case Fill::Kind::kZero: data.assign(data.size(), 0); return;
    case Fill::Kind::kConstant:
      for_each_element(data, bytes, [bits = encode(fill.type, fill.low)](std::uint64_t) { return bits; });
      return;
    case Fill::Kind::kSequence:
      require_end_of_sequence(fill, data.size() / static_cast<std::size_t>(bytes));
      for_each_element(data, bytes, [&](std::uint64_t i) {
        const double value = fill.low + fill.high * static_cast<double>(i);
        return is_integer(fill.type) ? encode_integer(fill.type, std::llround(value)) : encode(fill.type, value);
      });
      return;
    case Fill::Kind::kRandom:
      for_each_element(data, bytes,
                       [&](std::uint64_t i) { return encode(fill.type, random.real(i, fill.low, fill.high)); });
      return;
    case Fill::Kind::kIntegers: {
      const auto low = static_cast<std::int64_t>(fill.low);
      const auto high = static_cast<std::int64_t>(fill.high);
      for_each_element(data, bytes,
                       [&](std::uint64_t i) { return encode_integer(fill.type, random.integer(i, low, high)); });
      return;
    }
    case Fill::Kind::kRandomBits:
      for (std::size_t i = 0; i < data.size(); i += 8) {
        const std::uint64_t bits = random.bits(i / 8);
        std::memcpy(&data[i], &bits, std::min<std::size_t>(8, data.size() - i));
      }
      return;
    case Fill::Kind::kGiven:
      if (fill.given->size() != data.size()) {
        throw UserError(
            fmt::format("{}: {} bytes are given, but the buffer has {}", fill.place, fill.given->size(), data.size()));
      }
      data = *fill.given;
      return;
    case Fill::Kind::kFile: {
      std::vector<std::uint8_t> content = read_data(fill.file, fill.place);
      if (content.size() != data.size()) {
        throw UserError(fmt::format("{}: {} has {} bytes, but the buffer has {}", fill.place, fill.file, content.size(),
                                    data.size()));
      }
      data = std::move(content);
      return;
    }
  }
}

}  // namespace stc::sim
