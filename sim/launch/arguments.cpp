// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/launch/element_type.h"
#include "sim/launch/tensor_argument.h"

namespace stc::sim {
namespace {

constexpr int kPointerBytes = 8;

std::vector<std::uint8_t> little_endian(std::uint64_t bits, int count) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  std::memcpy(bytes.data(), &bits, bytes.size());
  return bytes;
}

std::vector<std::uint8_t> read_hex(const ConfigNode& node) {
  const std::string text = node.text();
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const auto value = parse_integer("0x" + text.substr(i, 2));
    if (!value || *value < 0) break;
    bytes.push_back(static_cast<std::uint8_t>(*value));
  }
  if (bytes.empty() || bytes.size() * 2 != text.size()) node.fail("must be pairs of hexadecimal digits");
  return bytes;
}

std::vector<std::uint8_t> read_literal(const std::string& type_name, const ConfigNode& node) {
  const ElementType type = *element_type_of(type_name);
  if (!is_integer(type)) {
    const double value = node.number_or_special();
    if (!holds(type, value)) node.fail(fmt::format("is {}, but {}", node.text(), range_text(type)));
    return little_endian(encode(type, value), bytes_of(type));
  }
  return little_endian(encode_integer(type, node.integer(least_of(type), greatest_of(type))), bytes_of(type));
}

}  // namespace

Argument Argument::address_of(const std::string& buffer) {
  Argument argument;
  argument.buffer = buffer;
  argument.spelling = buffer;
  return argument;
}

Argument Argument::i32(std::int32_t value) {
  Argument argument;
  argument.bytes = little_endian(static_cast<std::uint32_t>(value), 4);
  argument.spelling = fmt::format("i32: {}", value);
  return argument;
}

namespace {

/// An argument's whole that is an address: a name, or {buffer: A, offset: 256}.
Argument parse_address(const ConfigNode& node) {
  if (node.is_scalar()) return Argument::address_of(node.text());
  node.allow_keys({"buffer", "offset"});
  Argument argument = Argument::address_of(node.at("buffer").text());
  if (const auto offset = node.find("offset")) {
    argument.offset = static_cast<std::uint64_t>(offset->integer(0, std::numeric_limits<std::int64_t>::max()));
  }
  return argument;
}

}  // namespace

std::vector<HeldPointer> read_pointers(const ConfigNode& node, std::size_t bytes) {
  std::vector<HeldPointer> pointers;
  for (const auto& [key, value] : node.items()) {
    const auto at = parse_integer(key);
    if (!at || *at < 0 || static_cast<std::size_t>(*at) > bytes ||
        bytes - static_cast<std::size_t>(*at) < kPointerBytes) {
      node.fail(fmt::format("'{}' must be an offset with {} bytes behind it in {}", key, kPointerBytes, bytes));
    }
    const Argument address = parse_address(value);
    pointers.push_back({static_cast<std::size_t>(*at), address.buffer, address.offset, key});
  }
  std::sort(pointers.begin(), pointers.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (std::size_t i = 1; i < pointers.size(); ++i) {
    if (pointers[i].at < pointers[i - 1].at + kPointerBytes) {
      node.fail(fmt::format("the addresses at {} and {} overlap", pointers[i - 1].at, pointers[i].at));
    }
  }
  return pointers;
}

namespace {

Argument parse_argument(const ConfigNode& node) {
  if (node.is_scalar()) return Argument::address_of(node.text());
  std::vector<std::string> allowed = element_type_names();
  allowed.insert(allowed.end(), {"s8", "s16", "s32", "s64", "buffer", "offset", "hex", "at", "tensor_map"});
  node.allow_keys(allowed);
  const auto items = node.items();
  if (const auto map = node.find("tensor_map")) {
    node.allow_keys({"tensor_map"});
    return read_tensor_map(*map);
  }
  if (node.find("buffer")) return parse_address(node);
  if (const auto at = node.find("at")) {
    node.allow_keys({"hex", "at"});
    Argument argument;
    argument.bytes = read_hex(node.at("hex"));
    argument.pointers = read_pointers(*at, argument.bytes.size());
    argument.spelling = fmt::format("hex: {}", node.at("hex").text());
    return argument;
  }
  if (items.size() != 1 || items[0].first == "offset") {
    node.fail("must be a buffer's name or one type with its value, such as {i32: 4096}");
  }
  const auto& [key, value] = items[0];
  Argument argument;
  argument.bytes = key == "hex" ? read_hex(value) : read_literal(key, value);
  argument.spelling = fmt::format("{}: {}", key, value.text());
  return argument;
}

}  // namespace

Argument read_argument(const ConfigNode& node) {
  Argument argument = parse_argument(node);
  argument.place = node.where();
  return argument;
}

std::vector<std::uint8_t> pack_arguments(const std::vector<Argument>& arguments,
                                         const std::vector<isa::KernelParameter>& parameters, const std::string& kernel,
                                         const std::function<std::uint64_t(const std::string&)>& address_of_buffer,
                                         const std::string& place) {
  const auto at = [](const std::string& where) { return where.empty() ? "" : where + ": "; };
  if (arguments.size() != parameters.size()) {
    throw UserError(fmt::format("{}kernel {} takes {} argument{}, but {} {} given", at(place), kernel,
                                parameters.size(), parameters.size() == 1 ? "" : "s", arguments.size(),
                                arguments.size() == 1 ? "is" : "are"));
  }
  std::vector<std::uint8_t> block;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const isa::KernelParameter& parameter = parameters[i];
    if (argument.size() != parameter.bytes) {
      throw UserError(fmt::format("{}argument {} ({}) has {} bytes, but parameter {} of kernel {} has {}",
                                  at(argument.place), i + 1, argument.spelling, argument.size(), i + 1, kernel,
                                  parameter.bytes));
    }
    block.resize(std::max<std::size_t>(block.size(), parameter.offset + parameter.bytes));
    const auto put = [&](const std::vector<std::uint8_t>& bytes, std::size_t from) {
      std::copy(bytes.begin(), bytes.end(), block.begin() + static_cast<std::ptrdiff_t>(parameter.offset + from));
    };
    const auto address = [&](const std::string& buffer, std::uint64_t offset) {
      return little_endian(address_of_buffer(buffer) + offset, kPointerBytes);
    };
    put(argument.buffer.empty() ? argument.bytes : address(argument.buffer, argument.offset), 0);
    for (const HeldPointer& held : argument.pointers) put(address(held.buffer, held.offset), held.at);
  }
  return block;
}

}  // namespace stc::sim
