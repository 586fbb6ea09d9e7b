// SPDX-License-Identifier: Apache-2.0
// Builds the text of a SimulatedFault: kernel, instruction, CTA, warp, lane, address, nearest buffer.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/values/execute.h"

namespace stc::isa {

/// `lane` < 0: the fault concerns the whole warp. `what` is a phrase such as "misaligned 16-byte read".
[[noreturn]] void throw_fault(const Instruction& instruction, const WarpState& warp, const ExecuteContext& context,
                              int lane, const std::string& what);

/// One that is found when the instruction is over.
[[noreturn]] void throw_fault(const IssuedBy& by, const Kernel& kernel, const std::string& what);

/// The same for an access to memory; adds the address and, for global memory, where the nearest buffer lies.
[[noreturn]] void throw_address_fault(const Instruction& instruction, const WarpState& warp,
                                      const ExecuteContext& context, int lane, const std::string& what, Space space,
                                      std::uint64_t address);

}  // namespace stc::isa
