// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/matrix_descriptor.h"

#include <fmt/format.h>

namespace stc::isa {
namespace {

constexpr std::uint32_t kAddressMask = 0x3ffff;  // what 14 bits of 16 bytes reach
constexpr int kMatrixLines = 8;

std::uint32_t times(int count, std::uint32_t bytes) { return static_cast<std::uint32_t>(count) * bytes; }

}  // namespace

std::string MatrixDescriptor::describe() const {
  const int bytes = swizzle() == kNone ? 0 : line_bytes();
  return fmt::format("start {:#x}, leading offset {:#x}, stride offset {:#x}, base offset {}, swizzle {}", bytes_at(0),
                     leading(), stride(), word_ >> 49 & 7, bytes == 0 ? "none" : fmt::format("{} bytes", bytes));
}

/// Swizzles exchange the 16-byte parts of a line by the number of the line, which counts from the base offset on.
std::uint32_t MatrixDescriptor::address(std::uint32_t offset) const {
  const std::uint32_t plain = (bytes_at(0) + offset) & kAddressMask;
  if (swizzle() == kNone) return plain;
  const auto base = static_cast<std::uint32_t>(word_ >> 49 & 7);
  const std::uint32_t parts = static_cast<std::uint32_t>(line_bytes()) / 16 - 1;
  return plain ^ (((plain >> 7) - base) & parts) << 4;
}

std::uint32_t MatrixDescriptor::k_major(int line, int k_byte) const {
  const std::uint32_t tile = times(line / kMatrixLines, stride());
  if (swizzle() == kNone) return address(tile + times(line % kMatrixLines, 16) + times(k_byte / 16, leading()));
  return address(tile + times(line % kMatrixLines * line_bytes() + k_byte, 1));
}

std::uint32_t MatrixDescriptor::mn_major(int k, int byte) const {
  if (swizzle() == kNone)
    return address(times(byte / 16, stride()) + times(k % kMatrixLines, 16) + times(k / kMatrixLines, leading()));
  const int width = line_bytes();
  return address(times(byte % width, 1) + times(byte / width, leading()) + times(k % kMatrixLines * width, 1) +
                 times(k / kMatrixLines, stride()));
}

}  // namespace stc::isa
