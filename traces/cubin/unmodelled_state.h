// SPDX-License-Identifier: Apache-2.0
// What an instruction reads of the state that the hardware or the driver keeps, and the simulator does not.
#pragma once

#include <string>

#include "models/isa/state/kernel.h"

namespace stc::cubin {

/// "special register SR_PM0", "%gridid"; empty when all that the instruction reads is there.
std::string unmodelled_state(const isa::Instruction& instruction, const isa::Kernel& kernel);

/// Whether the kernel needs to know where constant bank 3 lies in the generic address space.
bool points_to_constants(const isa::Kernel& kernel);

/// Whether the kernel takes addresses of its parameters.
bool points_to_parameters(const isa::Kernel& kernel);

}  // namespace stc::cubin
