// SPDX-License-Identifier: Apache-2.0
// From the bytes of a cubin to the kernel that a run file names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/kernel.h"

namespace stc::sim {

/// `kernel` empty: the only one of the module. UserError, which starts with `file`, when it cannot be had.
isa::Kernel load_kernel(const std::vector<std::uint8_t>& cubin, const std::string& file, const std::string& kernel);

}  // namespace stc::sim
