// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/instruction_bits.h"

#include <fmt/format.h>

#include <string>

namespace stc::cubin {

std::uint64_t InstructionBits::take(int lsb, int width) {
  if (asked_ != nullptr) asked_->push_back({lsb, width});
  return look(lsb, width);
}

std::uint64_t InstructionBits::look(int lsb, int width) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  const int word = lsb / 64, shift = lsb % 64;
  std::uint64_t value = word_[word] >> shift;
  taken_[word] |= mask << shift;
  if (shift + width > 64) {
    value |= word_[1] << (64 - shift);
    taken_[1] |= mask >> (64 - shift);
  }
  return value & mask;
}

std::int64_t InstructionBits::take_signed(int lsb, int width) { return take_signed({lsb, width}); }

std::int64_t InstructionBits::take_signed(const BitField& field) {
  if (asked_ != nullptr) asked_->push_back(field);
  std::uint64_t value = look(field.lsb, field.width);
  if (field.low_width != 0) value = value << field.low_width | look(field.low_lsb, field.low_width);
  const std::uint64_t sign = std::uint64_t{1} << (field.bits() - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

void InstructionBits::put(const BitField& field, std::uint64_t value) {
  put(field.lsb, field.width, value >> field.low_width);
  if (field.low_width != 0) put(field.low_lsb, field.low_width, value);
}

void InstructionBits::put(int lsb, int width, std::uint64_t value) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  const int word = lsb / 64, shift = lsb % 64;
  value &= mask;
  word_[word] = (word_[word] & ~(mask << shift)) | value << shift;
  if (shift + width > 64) word_[1] = (word_[1] & ~(mask >> (64 - shift))) | value >> (64 - shift);
}

void InstructionBits::require(int lsb, int width, std::uint64_t value, const char* what) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  const bool read_before = (taken_[lsb / 64] >> (lsb % 64) & mask) != 0;
  if (asked_ != nullptr && !read_before) put(lsb, width, value);
  const std::uint64_t found = look(lsb, width);
  if (found == value) return;
  throw UndecodableBits(fmt::format("{} (bits {}:{}) holds {:#x}; the decoder knows only {:#x}", what, lsb + width - 1,
                                    lsb, found, value));
}

void InstructionBits::finish() const {
  std::string unknown;
  for (int bit = 0; bit < 128; ++bit) {
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    if ((word_[bit / 64] & ~taken_[bit / 64]) & mask) unknown += fmt::format("{}{}", unknown.empty() ? "" : ",", bit);
  }
  if (!unknown.empty()) throw UndecodableBits("set bits of unknown meaning: " + unknown);
}

}  // namespace stc::cubin
