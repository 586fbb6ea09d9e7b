// SPDX-License-Identifier: Apache-2.0
// Values one behind the other, as they travel between a program and its simulated GPU. Both run on one computer.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace stc::remote {

/// What was received is not what the other side ought to send.
struct BadPacket : std::runtime_error {
  BadPacket() : std::runtime_error("the program sent a message that is no call of the runtime") {}
};

class Packet {
 public:
  Packet() = default;
  explicit Packet(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  Packet& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return put_bytes(&value, sizeof value);
  }
  Packet& put_bytes(const void* data, std::size_t count) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + count);
    return *this;
  }
  Packet& put_text(const std::string& text) { return put(text.size()).put_bytes(text.data(), text.size()); }
  template <class T>
  Packet& put_list(const std::vector<T>& values) {
    return put(values.size()).put_bytes(values.data(), values.size() * sizeof(T));
  }

  /// These throw BadPacket where nothing is left.
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  const std::uint8_t* take(std::size_t count) {
    if (count > left()) throw BadPacket();
    read_ += count;
    return bytes_.data() + (read_ - count);
  }
  std::string get_text() {
    const auto count = get<std::size_t>();
    return {reinterpret_cast<const char*>(take(count)), count};
  }
  template <class T>
  std::vector<T> get_list() {
    const auto count = get<std::size_t>();
    if (count > left() / sizeof(T)) throw BadPacket();
    std::vector<T> values(count);
    if (count != 0) std::memcpy(values.data(), take(count * sizeof(T)), count * sizeof(T));
    return values;
  }

  std::size_t left() const { return bytes_.size() - read_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t read_ = 0;
};

}  // namespace stc::remote
