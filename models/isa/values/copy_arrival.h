// SPDX-License-Identifier: Apache-2.0
// Arrivals at mbarriers that are made when their instruction is long over: by copies whose bytes have landed, and at
// barriers of other CTAs of a cluster.
#pragma once

#include "models/isa/state/mbarrier.h"

namespace stc::isa {

/// Makes the arrival. Returns true when it completed the barrier's phase; throws SimulatedFault, which names who
/// asked for it.
bool complete_copy_arrival(CtaState& cta, const Kernel& kernel, const CopyArrival& arrival);

/// The fault of an arrival at CTA `rank` of its cluster, which has exited.
[[noreturn]] void throw_exited_fault(const Kernel& kernel, const RemoteArrival& arrival);

}  // namespace stc::isa
