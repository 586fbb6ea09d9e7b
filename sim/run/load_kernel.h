// SPDX-License-Identifier: Apache-2.0
// From the bytes of a cubin to the kernel that a run file names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"

namespace stc::sim {

/// `kernel` empty: the only one of the module. UserError, which names `file`, when it cannot be had; it starts with
/// `place`, where the run file names the kernel, when the name is wrong.
isa::Kernel load_kernel(const std::vector<std::uint8_t>& cubin, const std::string& file, const std::string& kernel,
                        const std::string& place = "");

}  // namespace stc::sim
