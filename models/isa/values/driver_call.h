// SPDX-License-Identifier: Apache-2.0
// Functions that CUDA's driver supplies and device code calls: vprintf, __assertfail, malloc, free.
// Models:    their results and what they print, by the calling convention of compiled code: arguments from R4 on,
//            pointers in aligned pairs, the result in R4, the return address in R20.
// Evidence:  calls that nvcc compiles; CUDA C++ Programming Guide, "Formatted Output" and "Assertion".
// Abstracts: the driver's own instructions; their time is sm_params.h, driver.
// Timing:    at once.
#pragma once

#include "models/isa/values/execution.h"

namespace stc::isa {

/// Lanes of `taken` that call the same function and return to the same place as the first one; calls it for them and
/// says where they go on. `target` holds the program counters that the lanes call.
struct DriverReturn {
  LaneMask lanes = 0;
  std::uint32_t pc = 0;
};
DriverReturn call_driver(Execution& x, LaneMask taken, const Vector& target);

}  // namespace stc::isa
