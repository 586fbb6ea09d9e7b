// SPDX-License-Identifier: Apache-2.0
// The GPU in the words of cudaDeviceProp.
#pragma once

#include <cstdint>

#include "sim/remote/requests.h"

namespace stc::cuda {

/// Fills all bytes of a cudaDeviceProp. What the simulated GPU has no figure for (clock and width of its memory, PCI
/// numbers) is zero.
void fill_properties(const remote::DeviceFacts& facts, std::uint8_t* properties);

}  // namespace stc::cuda
