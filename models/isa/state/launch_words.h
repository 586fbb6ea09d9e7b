// SPDX-License-Identifier: Apache-2.0
// Which words of constant bank 0 before a kernel's parameters the simulator fills in as a driver does.
#pragma once

#include <cstdint>
#include <string>

#include "models/core/architecture.h"

namespace stc::isa {

/// What PTX calls the word at this offset, for one that launch_constants leaves alone: "%gridid", "%envreg3", "word
/// 0x70 of the launch constants". Empty for one that it fills in.
std::string unmodelled_launch_word(const Architecture& architecture, std::uint32_t offset);

}  // namespace stc::isa
