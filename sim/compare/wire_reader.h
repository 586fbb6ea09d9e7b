// SPDX-License-Identifier: Apache-2.0
// Fields of a protobuf message, without its description: a profiler's reports need five kinds of messages, of which no
// description is published, so a reader of the wire's own form is all that a library would add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace stc::sim {

/// The bytes are no message: truncated, or something else.
struct BadMessage : std::runtime_error {
  BadMessage() : std::runtime_error("is damaged") {}
};

/// Bytes that somebody else keeps.
struct WireBytes {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;

  std::string text() const { return {reinterpret_cast<const char*>(data), size}; }
  /// The first `count`, which are taken off.
  WireBytes take(std::size_t count);
  /// A 32-bit little-endian number and as many bytes behind it, all taken off.
  WireBytes take_sized();
};

struct WireField {
  enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t value = 0;  ///< of the first, second and last type
  WireBytes bytes;          ///< of kBytes

  /// Of a double (kFixed64), a float (kFixed32) or a whole number.
  double real() const;
};

/// Takes the next field off `message`; false at its end. BadMessage.
bool next_field(WireBytes& message, WireField& field);

}  // namespace stc::sim
