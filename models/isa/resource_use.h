// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, for whoever orders instructions, counts their waits or checks them: general
// registers, uniform registers, predicates and uniform predicates, numbered in one row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/opcode_traits.h"

namespace stc::isa {

constexpr int kFirstUniform = 256, kFirstPredicate = 320, kFirstUniformPredicate = 328;
constexpr int kResources = 336;
inline bool is_general(int resource) { return resource < kFirstUniform; }
inline bool is_uniform_register(int resource) { return resource >= kFirstUniform && resource < kFirstPredicate; }
inline bool is_predicate(int resource) { return resource >= kFirstPredicate && resource < kFirstUniformPredicate; }
/// "R4", "UR6", "P0", "UP1".
std::string resource_name(int resource);

/// Operand through which an instruction reads.
enum class UseSlot : std::uint8_t { kA, kB, kC, kCHigh, kOther, kGuard };

struct ResourceRead {
  std::uint16_t resource = 0;
  UseSlot slot = UseSlot::kOther;
};
struct ResourceWrite {
  std::uint16_t resource = 0;
  std::uint8_t word = 0;  ///< of a result of several registers
};
struct ResourceUse {
  std::vector<ResourceRead> reads;
  std::vector<ResourceWrite> writes;
};
ResourceUse resource_use(const Instruction& instruction);

}  // namespace stc::isa
