// SPDX-License-Identifier: Apache-2.0
// Stores and atomics of global memory that take effect at the end of a cycle: SMs that run side by side read what the
// cycle began with, and what they write comes in an order that does not depend on who ran first.
// A warp issues once a cycle, so its registers are at the end of the cycle what they were at issue.
#pragma once

#include <vector>

#include "models/isa/values/execution.h"
#include "models/isa/values/lane_address.h"

namespace stc::isa {

/// Moves the bytes of an access whose pointers are known.
using MakeAccess = void (*)(Execution& x, const LanePointers& pointers);

/// An access that waits for the end of its cycle.
struct LateAccess {
  const Instruction* instruction = nullptr;
  WarpState* warp = nullptr;
  LaneMask lanes = 0;
  LanePointers pointers{};
  MakeAccess make = nullptr;
};

/// Does `make` now, or at make_late_accesses() if the context collects them and a lane reaches global memory.
void access_memory(Execution& x, const LanePointers& pointers, MakeAccess make);

/// Makes the accesses that `context.late` holds, in their order, and empties it. Returns whether an atomic has changed
/// memory.
bool make_late_accesses(ExecuteContext& context);

}  // namespace stc::isa
