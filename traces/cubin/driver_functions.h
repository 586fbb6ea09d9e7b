// SPDX-License-Identifier: Apache-2.0
// Functions that a cubin leaves to the driver: which of them are modelled, and what the others are part of.
#pragma once

#include <string>

#include "models/isa/state/kernel.h"

namespace stc::cubin {

isa::DriverFunction driver_function(const std::string& symbol);

/// "dynamic parallelism (cudaLaunchDeviceV2)", "the function foo, which the module does not hold".
std::string feature_of_function(const std::string& symbol);

}  // namespace stc::cubin
