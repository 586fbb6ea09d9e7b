// SPDX-License-Identifier: Apache-2.0
// The GPU in the words of cudaDeviceProp and of device attributes.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/remote/requests.h"

namespace stc::cuda {

/// Fills all bytes of a cudaDeviceProp. What the simulated GPU has no figure for (clock and width of its memory, PCI
/// numbers) is zero.
void fill_properties(const remote::DeviceFacts& facts, std::uint8_t* properties);

/// None for a number that is no attribute.
std::optional<int> attribute_of(const remote::DeviceFacts& facts, int attribute);

}  // namespace stc::cuda
