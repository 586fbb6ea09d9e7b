// SPDX-License-Identifier: Apache-2.0
// Where a warpgroup matrix instruction finds an operand in shared memory.
//
// Models:   the 64-bit matrix descriptor of wgmma: start, two strides, swizzle. Operands are tiles of 8 lines of 16, 32,
//           64 or 128 bytes; a line runs along K ("K-major") or along the rows of A, the columns of B ("MN-major").
// Evidence: PTX ISA, matrix descriptors; an H200 said which 507,904 elements it read as 476 operands, whose
//           tiles began anywhere (validation/measured/h200/wgmma_layout.csv).
// Timing:   none here.
#pragma once

#include <cstdint>
#include <string>

namespace stc::isa {

class MatrixDescriptor {
 public:
  explicit MatrixDescriptor(std::uint64_t word) : word_(word) {}

  /// Bits that are set and whose meaning is not known.
  std::uint64_t unknown_bits() const { return word_ & 0x3ff1c000c000c000u; }
  /// Its fields by name.
  std::string describe() const;

  /// Shared address of 16 bytes along K of row `line` of A (column of B), from byte `k_byte`, a multiple of 16.
  std::uint32_t k_major(int line, int k_byte) const;
  /// Shared address of 16 bytes along the rows of A (columns of B), from byte `byte` of them, at place `k` of K.
  std::uint32_t mn_major(int k, int byte) const;

 private:
  enum Swizzle { kNone, k128Bytes, k64Bytes, k32Bytes };
  Swizzle swizzle() const { return static_cast<Swizzle>(word_ >> 62); }
  int line_bytes() const { return 256 >> swizzle(); }  ///< of a swizzled tile
  std::uint32_t bytes_at(int lsb) const { return static_cast<std::uint32_t>(word_ >> lsb & 0x3fff) << 4; }
  std::uint32_t leading() const { return bytes_at(16); }
  std::uint32_t stride() const { return bytes_at(32); }
  std::uint32_t address(std::uint32_t offset) const;

  std::uint64_t word_;
};

}  // namespace stc::isa
