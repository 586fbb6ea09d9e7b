// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/late_access.h"

namespace stc::isa {
namespace {

/// Addresses of the windows of shared and local memory are offsets by now, of 32 bits.
bool reaches_global(const Execution& x) {
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    if (x.result.address[static_cast<std::size_t>(__builtin_ctz(m))] >> 32 != 0) return true;
  }
  return false;
}

}  // namespace

void access_memory(Execution& x, const LanePointers& pointers, MakeAccess make) {
  if (x.context.late == nullptr || !reaches_global(x)) {
    make(x, pointers);
  } else {
    x.context.late->push_back({&x.instruction, &x.warp, x.lanes, pointers, make});
  }
}

bool make_late_accesses(ExecuteContext& context) {
  bool changed = false;
  ExecuteResult result;
  for (const LateAccess& access : *context.late) {
    result.memory_changed = false;
    Execution x{*access.instruction, *access.warp, context, result, access.lanes};
    access.make(x, access.pointers);
    changed |= result.memory_changed;
  }
  context.late->clear();
  return changed;
}

}  // namespace stc::isa
