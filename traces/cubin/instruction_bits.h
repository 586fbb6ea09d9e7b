// SPDX-License-Identifier: Apache-2.0
// The 128 bits of an encoded instruction, read field by field. Every field that a decoding rule takes counts as
// understood; bits that are set and that nobody took make the instruction undecodable, so nothing is ignored silently.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stc::cubin {

/// Why an instruction cannot be decoded, without its place (decode_instruction adds that).
struct UndecodableBits : std::runtime_error {
  explicit UndecodableBits(const std::string& reason, std::string of_feature = "")
      : std::runtime_error(reason), feature(std::move(of_feature)) {}
  std::string feature;  ///< what needs it, in the words of CUDA's documentation; empty: a form of the operation
};

/// Bits [lsb, lsb + width); the lower ones of its number may stand elsewhere.
struct BitField {
  int lsb = 0;
  int width = 0;
  int low_lsb = 0;
  int low_width = 0;
  int bits() const { return width + low_width; }
};

class InstructionBits {
 public:
  InstructionBits(std::uint64_t low, std::uint64_t high) : word_{low, high} {}
  /// For the encoder: notes in `asked` what the rules take, and gives fields that only ever hold one value that value.
  InstructionBits(std::uint64_t low, std::uint64_t high, std::vector<BitField>& asked)
      : word_{low, high}, asked_(&asked) {}

  /// Bits [lsb, lsb + width), width 1 to 64, marked as understood.
  std::uint64_t take(int lsb, int width);
  /// The same, narrowed to the member that receives it.
  template <typename T>
  T get(int lsb, int width) {
    return static_cast<T>(take(lsb, width));
  }
  bool flag(int bit) { return take(bit, 1) != 0; }
  std::int64_t take_signed(int lsb, int width);
  std::int64_t take_signed(const BitField& field);
  /// Takes a field that only ever holds `value`; `what` names it in the error.
  void require(int lsb, int width, std::uint64_t value, const char* what);
  /// Takes a field without looking at it (scheduling and profiling bits).
  void skip(int lsb, int width) { take(lsb, width); }

  void put(const BitField& field, std::uint64_t value);
  /// Throws when a set bit was never taken.
  void finish() const;
  /// All bits: 0 is 63:0.
  std::uint64_t word(int index) const { return word_[index]; }
  /// The bits that somebody took, without the others.
  std::uint64_t taken_bits(int word) const { return word_[word] & taken_[word]; }

 private:
  std::uint64_t look(int lsb, int width);
  void put(int lsb, int width, std::uint64_t value);

  std::uint64_t word_[2];
  std::vector<BitField>* asked_ = nullptr;
  std::uint64_t taken_[2] = {0, 0};
};

}  // namespace stc::cubin
