// SPDX-License-Identifier: Apache-2.0
// A basic block to be timed as the body of a loop, and what of a warp's state it must leave alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"

namespace stc::blocks {

using isa::Instruction;

constexpr int kSmVersion = 90;
/// Shared and global memory that a warp has for itself, and offsets beyond its lanes' own addresses. Copies go to the
/// upper half of the shared window, which nobody reads.
constexpr int kSharedWindow = 2048, kGlobalWindow = 4096;
constexpr int kSharedOffsets = 512, kCopyOffset = 1024, kGlobalOffsets = 2048;
constexpr int kBlockPredicates = 6;         ///< P0 to P5 are the body's, P6 is the loop's
constexpr int kBlockUniformRegisters = 56;  ///< UR0 to UR55 are the body's
constexpr int kZeroUniform = 56;            ///< pair of zeros
constexpr int kDescriptorUniform = 58;      ///< pair: descriptor of global memory

/// Registers of the code around the body, from `first` on, which is a multiple of 4.
struct Reserved {
  int first = 0;
  static constexpr int kCount = 20;
  int start() const { return first; }     ///< pair: clock
  int stop() const { return first + 2; }  ///< pair: clock
  int counter() const { return first + 4; }
  int passes() const { return first + 5; }
  int out() const { return first + 6; }                              ///< pair: where the warp reports
  int global(int log2) const { return first + 8 + 2 * (log2 - 2); }  ///< pair: lanes 1 << log2 bytes apart, 2 to 4
  int shared(int log2) const { return first + 14 + (log2 - 2); }
  int metadata() const { return first + 17; }
  int lane() const { return first + 18; }
  int warp() const { return first + 19; }
};
struct Block {
  std::string name;    ///< of its kernel
  std::string group;   ///< what kind of block it is
  std::string source;  ///< where it was found; empty: made up
  std::vector<Instruction> body;
  Reserved reserved;
};

/// General registers that the body reads or writes lie below this.
int registers_of(const std::vector<Instruction>& body);
/// The registers around a body that needs so many.
Reserved reserved_above(int registers);

}  // namespace stc::blocks
