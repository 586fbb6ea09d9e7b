// SPDX-License-Identifier: Apache-2.0
// Stores and atomics of global memory that take effect at the end of a cycle: SMs that run side by side read what the
// cycle began with, and what they write comes in an order that does not depend on who ran first.
// What a store writes is noted at issue, so that its warp may go on before the cycle is over for all. An atomic answers
// into registers: its warp may not, and at the end of the cycle its registers are what they were at issue.
#pragma once

#include <array>
#include <optional>

#include "models/isa/values/atomic_value.h"
#include "models/isa/values/cycle_log.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/lane_address.h"

namespace stc::isa {

/// Moves the bytes of an access whose pointers are known.
using MakeAccess = void (*)(Execution& x, const LanePointers& pointers);

/// An access that waits for the end of its cycle.
struct LateAccess {
  std::uint64_t cycle = 0;
  const Instruction* instruction = nullptr;
  WarpState* warp = nullptr;
  LaneMask lanes = 0;
  MakeAccess make = nullptr;           ///< nullptr: stores `data`
  const Allocation* buffer = nullptr;  ///< nullptr: several
  LanePointers pointers;
  std::array<Vector, 4> data;  ///< as many as its lanes have words
  bool in_parts = false;       ///< its lanes have as many bytes as `counts` says
  LaneCounts counts;
  std::optional<AtomicForm> reduction;  ///< of what is there with the parts
};
class LateAccesses : public CycleLog<LateAccess> {};

/// Does `make` now, or at make_late_accesses() if the context collects them and a lane reaches global memory.
void access_memory(Execution& x, const LanePointers& pointers, MakeAccess make);
/// The same for a store, which is noted with its data where all lanes reach global memory.
void store_memory(Execution& x, const LanePointers& pointers, MakeAccess make);
/// Stores `counts` bytes (at most 16) of each of x.lanes, found at `from`, to global memory, or reduces it by them.
void store_parts(Execution& x, const LanePointers& to, const LanePointers& from, const LaneCounts& counts,
                 const std::optional<AtomicForm>& reduction = std::nullopt);

/// Makes the accesses of `cycle`, the oldest, that `context.late` holds, in their order, and forgets them. Returns
/// whether an atomic has changed memory.
bool make_late_accesses(ExecuteContext& context, std::uint64_t cycle);

}  // namespace stc::isa
