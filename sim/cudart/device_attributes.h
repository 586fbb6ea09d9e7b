// SPDX-License-Identifier: Apache-2.0
// The GPU in numbered attributes, which runtime and driver share, and what every GPU has.
// Evidence: driver_types.h of CUDA 12.8 and 13.0; CUDA programming guide, compute capabilities 8.0 and 9.0.
#pragma once

#include <optional>

#include "sim/remote/requests.h"

namespace stc::cuda {

constexpr int kWarp = 32, kMostThreadsZ = 64, kMostGridX = 0x7fffffff, kMostGridYz = 65535;
constexpr int kConstantBytes = 65536, kMostPitch = 0x7fffffff, kAlignment = 512;
constexpr int kDefaultSharedBytes = 48 << 10;  // static and dynamic, before a kernel opts in to more

/// None for a number that is no attribute.
std::optional<int> attribute_of(const remote::DeviceFacts& facts, int attribute);

}  // namespace stc::cuda
