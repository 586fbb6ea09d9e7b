// SPDX-License-Identifier: Apache-2.0
// Which general registers an instruction reads and writes.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/instruction.h"

namespace stc::isa {

/// A run of consecutive registers that an instruction reads or writes.
struct RegisterRange {
  std::uint8_t first = kRegisterZero;
  std::uint8_t count = 0;
  std::uint8_t slot = 0;  ///< sources: 0 A, 1 B, 2 C, 3 metadata / further
  bool reuse = false;
};
struct RegisterUse {
  std::array<RegisterRange, 5> sources;
  int source_count = 0;
  std::array<RegisterRange, 2> dests;
  int dest_count = 0;
};
/// Consecutive registers that operands A, B and C take each, general or uniform.
struct SourceCounts {
  int a = 1, b = 1, c = 1;
};
SourceCounts source_counts(const Instruction& instruction);

/// General registers read and written (RZ left out). Shapes of memory and matrix operations included.
RegisterUse register_use(const Instruction& instruction);

}  // namespace stc::isa
