// SPDX-License-Identifier: Apache-2.0
// Instructions that compilers write, each form once: what random blocks are made of.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/blocks/block.h"

namespace stc::blocks {

/// Kinds of instructions that go the same way through a sub-core.
enum class Kind : std::uint8_t {
  kAlu,
  kFma,
  kImad,
  kWide,
  kHalf,
  kDouble,
  kSpecial,
  kUniform,
  kSharedLoad,
  kMatrixLoad,
  kSharedStore,
  kGlobalLoad,
  kGlobalStore,
  kCopy,
  kShuffle,
  kMatrix,
  kSparseMatrix,
  kIntegerMatrix,
  kNone
};
Kind kind_of(const Instruction& instruction);
const char* name_of(Kind kind);

class InstructionPool {
 public:
  /// Takes every form in the kernel that is not known yet.
  void add(const isa::Kernel& kernel);
  /// Forms of a kind, by their operations: no operation outweighs another by the number of its forms.
  const std::vector<std::vector<Instruction>>& of(Kind kind) const;

 private:
  std::set<std::vector<std::uint32_t>> known_;
  std::map<Kind, std::vector<std::vector<Instruction>>> forms_;
};

}  // namespace stc::blocks
