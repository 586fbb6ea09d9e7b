// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace stc::isa {

/// A fault of the simulated program (exit code 3): out of bounds, misaligned, illegal instruction.
struct SimulatedFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace stc::isa
