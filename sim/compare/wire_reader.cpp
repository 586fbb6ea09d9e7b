// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/wire_reader.h"

#include <cstring>

namespace stc::sim {
namespace {

constexpr int kMostVarintBytes = 10;

std::uint64_t take_varint(WireBytes& message) {
  std::uint64_t value = 0;
  for (int i = 0; i < kMostVarintBytes; ++i) {
    const std::uint8_t byte = *message.take(1).data;
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  throw BadMessage();
}

template <class T>
T take_fixed(WireBytes& message) {
  T value{};
  std::memcpy(&value, message.take(sizeof value).data, sizeof value);
  return value;
}

}  // namespace

WireBytes WireBytes::take(std::size_t count) {
  if (count > size) throw BadMessage();
  const WireBytes taken{data, count};
  data += count;
  size -= count;
  return taken;
}

WireBytes WireBytes::take_sized() { return take(take_fixed<std::uint32_t>(*this)); }

double WireField::real() const {
  if (type == Type::kVarint) return static_cast<double>(value);
  if (type == Type::kFixed64) {
    double wide = 0;
    std::memcpy(&wide, &value, sizeof wide);
    return wide;
  }
  const auto low = static_cast<std::uint32_t>(value);
  float narrow = 0;
  std::memcpy(&narrow, &low, sizeof narrow);
  return static_cast<double>(narrow);
}

bool next_field(WireBytes& message, WireField& field) {
  if (message.size == 0) return false;
  const std::uint64_t tag = take_varint(message);
  field = {};
  field.number = static_cast<std::uint32_t>(tag >> 3);
  field.type = static_cast<WireField::Type>(tag & 7);
  switch (field.type) {
    case WireField::Type::kVarint: field.value = take_varint(message); return true;
    case WireField::Type::kFixed64: field.value = take_fixed<std::uint64_t>(message); return true;
    case WireField::Type::kBytes: field.bytes = message.take(take_varint(message)); return true;
    case WireField::Type::kFixed32: field.value = take_fixed<std::uint32_t>(message); return true;
  }
  throw BadMessage();
}

}  // namespace stc::sim
