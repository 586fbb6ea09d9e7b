// SPDX-License-Identifier: Apache-2.0
// What function pointers and return addresses mean. A kernel's own code begins at program counter 0 and the functions
// that it calls follow, so that a function has another program counter in each kernel; its address is the same in all
// of them, for kernels hand pointers to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/isa/state/kernel.h"

namespace stc::isa {

/// Nothing where the kernel has no code.
std::optional<std::uint32_t> pc_of(const Kernel& kernel, std::uint64_t address);
/// Of an instruction of the kernel.
std::uint64_t address_of(const Kernel& kernel, std::uint32_t pc);
/// For an error message, where pc_of() has nothing: "0x0, which is no code".
std::string describe_code(const Kernel& kernel, std::uint64_t address);

}  // namespace stc::isa
