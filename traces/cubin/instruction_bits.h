// SPDX-License-Identifier: Apache-2.0
// The 128 bits of an encoded instruction, read field by field. Every field that a decoding rule takes counts as
// understood; bits that are set and that nobody took make the instruction undecodable, so nothing is ignored silently.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace stc::cubin {

/// Why an instruction cannot be decoded, without its place (decode_instruction adds that).
struct UndecodableBits : std::runtime_error {
  explicit UndecodableBits(const std::string& reason, std::string of_feature = "")
      : std::runtime_error(reason), feature(std::move(of_feature)) {}
  std::string feature;  ///< what needs it, in the words of CUDA's documentation; empty: a form of the operation
};

class InstructionBits {
 public:
  InstructionBits(std::uint64_t low, std::uint64_t high) : word_{low, high} {}

  /// Bits [lsb, lsb + width), width up to 64, marked as understood.
  std::uint64_t take(int lsb, int width);
  /// The same, narrowed to the member that receives it.
  template <typename T>
  T get(int lsb, int width) {
    return static_cast<T>(take(lsb, width));
  }
  bool flag(int bit) { return take(bit, 1) != 0; }
  std::int64_t take_signed(int lsb, int width);
  /// Takes a field that only ever holds `value`; `what` names it in the error.
  void require(int lsb, int width, std::uint64_t value, const char* what);
  /// Takes a field without looking at it (scheduling and profiling bits).
  void skip(int lsb, int width) { take(lsb, width); }

  /// Throws when a set bit was never taken.
  void finish() const;

 private:
  std::uint64_t word_[2];
  std::uint64_t taken_[2] = {0, 0};
};

}  // namespace stc::cubin
