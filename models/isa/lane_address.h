// SPDX-License-Identifier: Apache-2.0
// Lane addresses of memory instructions and the host bytes behind them, checked for alignment and bounds.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/execution.h"

namespace stc::isa {

/// Host pointers per lane; meaningful for executing lanes only.
using LanePointers = std::array<std::uint8_t*, kWarpSize>;

/// Global address of every lane into result.address: Ra (pair or 32 bit) + UR + offset.
void global_addresses(Execution& x);
/// Shared or local address of every lane into result.address: Ra * scale + UR + offset, 32 bit.
void window_addresses(Execution& x);

/// Fill `pointers` for the executing lanes from result.address; fault on a misaligned or unmapped one.
/// They also set space, access_lanes, bytes_per_lane and role of the result.
void translate_global(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
void translate_shared(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
void translate_local(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
/// Per lane global, shared or local by the window that the address lies in; result.space is that of the first lane.
void translate_generic(Execution& x, unsigned bytes, bool write, LanePointers& pointers);

/// Role of the 16-byte chunk of shared memory that holds `address`, and its setting by stores and copies.
DataRole shared_role(const CtaState& cta, std::uint64_t address);
STC_INLINE void set_shared_role(CtaState& cta, std::uint64_t address, DataRole role) {
  const std::size_t chunk = static_cast<std::size_t>(address >> 4);
  if (chunk < cta.shared_role.size()) cta.shared_role[chunk] = static_cast<std::uint8_t>(role);
}

}  // namespace stc::isa
