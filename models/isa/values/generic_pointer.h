// SPDX-License-Identifier: Apache-2.0
// Reading through a thread's generic pointers, outside of memory instructions.
#pragma once

#include <optional>
#include <string>

#include "models/isa/values/execution.h"

namespace stc::isa {

/// Host pointer to [address, address + bytes) as `lane` sees it: shared, local or global; nullptr when it is nowhere.
const std::uint8_t* generic_pointer(const Execution& x, int lane, std::uint64_t address, std::size_t bytes);

/// The characters up to the first zero; nothing when the text leaves what is mapped.
std::optional<std::string> generic_text(const Execution& x, int lane, std::uint64_t address);

}  // namespace stc::isa
