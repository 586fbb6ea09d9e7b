// SPDX-License-Identifier: Apache-2.0
// Lane addresses of memory instructions and the host bytes behind them, checked for alignment and bounds.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/values/execution.h"

namespace stc::isa {

/// Host pointers per lane; meaningful for executing lanes only.
using LanePointers = std::array<std::uint8_t*, kWarpSize>;
/// Bytes of a lane that an access moves, when lanes differ.
using LaneCounts = std::array<std::uint8_t, kWarpSize>;

/// Global address of every lane into result.address: Ra (pair or 32 bit) + UR + offset.
void global_addresses(Execution& x);
/// Shared or local address of every lane into result.address: Ra * scale + UR + offset, 32 bit.
void window_addresses(Execution& x);

/// Fill `pointers` for the executing lanes from result.address; fault on a misaligned or unmapped one.
/// They also set space, access_lanes, bytes_per_lane and role of the result. Afterwards a shared result.address is the
/// offset in the CTA's memory.
void translate_global(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
void translate_shared(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
/// The same where nobody follows the pointers.
void check_shared(Execution& x, unsigned bytes, bool write);
/// Shared memory of other CTAs of the cluster; result.address keeps their ranks.
void translate_distributed(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
/// The CTA in whose memory a lane's address {rank, offset} lies; a fault if there is none or it has exited.
CtaState& cta_behind(const Execution& x, int lane, unsigned bytes, bool write);
void translate_local(Execution& x, unsigned bytes, bool write, LanePointers& pointers);
/// Global reads of a copy whose low address bits count the bytes to leave out at the end of each aligned `bytes`:
/// clears those bits in result.address and gives the bytes to read per lane.
void translate_partial(Execution& x, unsigned bytes, LanePointers& pointers,
                       std::array<std::uint8_t, kWarpSize>& count);
/// Per lane global, shared (of any CTA of the cluster) or local by the window that the address lies in; result.space is
/// that of the first lane.
void translate_generic(Execution& x, unsigned bytes, bool write, LanePointers& pointers);

/// Role of the 16-byte chunk of shared memory that holds `address`.
DataRole shared_role(const CtaState& cta, std::uint64_t address);

/// Sets the role of the chunks at the lanes' addresses (std::array of 32 or 64 bits), which must be inside.
template <class LaneAddresses>
STC_INLINE void set_shared_roles(CtaState& cta, const LaneAddresses& address, LaneMask lanes, DataRole role) {
  // Addresses are within shared memory; the caller may keep no roles at all.
  if (cta.shared_role.size() < (cta.shared.size() + 15) / 16) return;
  std::uint8_t* const roles = cta.shared_role.data();
  const auto value = static_cast<std::uint8_t>(role);
  if (lanes == kAllLanes) {
    for (std::size_t i = 0; i < kWarpSize; ++i) roles[address[i] >> 4] = value;
    return;
  }
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    roles[address[static_cast<std::size_t>(__builtin_ctz(m))] >> 4] = value;
  }
}

/// Lanes whose address, once translated, is one of global memory: those of the windows are offsets of 32 bits then.
inline LaneMask lanes_in_global(const Execution& x) {
  LaneMask lanes = 0;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    if (x.result.address[static_cast<std::size_t>(__builtin_ctz(m))] >> 32 != 0) lanes |= m & (0u - m);
  }
  return lanes;
}

}  // namespace stc::isa
