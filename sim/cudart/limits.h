// SPDX-License-Identifier: Apache-2.0
// Limits of the device, which both interfaces set and ask for.
#pragma once

#include <cstddef>

namespace stc::cuda {

/// Each returns an error of the runtime. kLimitNotThere: it is one of CUDA's that is not there.
constexpr int kLimitNotThere = -1;
int set_device_limit(int limit, std::size_t bytes);
int device_limit(int limit, std::size_t* bytes);
/// After the device was reset.
void forget_limits();

}  // namespace stc::cuda
