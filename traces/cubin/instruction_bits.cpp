// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/instruction_bits.h"

#include <fmt/format.h>

#include <string>

namespace stc::cubin {

std::uint64_t InstructionBits::take(int lsb, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const int bit = lsb + i;
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    taken_[bit / 64] |= mask;
    if (word_[bit / 64] & mask) value |= std::uint64_t{1} << i;
  }
  return value;
}

std::int64_t InstructionBits::take_signed(int lsb, int width) {
  const std::uint64_t value = take(lsb, width);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

void InstructionBits::require(int lsb, int width, std::uint64_t value, const char* what) {
  const std::uint64_t found = take(lsb, width);
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
