// SPDX-License-Identifier: Apache-2.0
// All that an instruction says, as numbers: to compare two of them member by member.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/isa/instruction.h"

namespace stc::cubin {

/// Every member but the raw words and the encoded opcode, in a fixed order; the rest of the array is zero.
constexpr std::size_t kMostMembers = 144;
using MemberValues = std::array<std::uint32_t, kMostMembers>;

MemberValues members_of(const isa::Instruction& instruction);

/// "a.index", "mod.lut"; empty beyond the last.
std::string_view member_name(std::size_t index);

}  // namespace stc::cubin
