// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/load_log.h"

namespace stc::isa {

LoggedLoad* log_load(const Execution& x, MakeLoad make, const LanePointers& from) {
  if (x.context.loads == nullptr) return nullptr;
  LoggedLoad& load = x.context.loads->add(x.context.cycle);
  load.instruction = &x.instruction;
  load.warp = &x.warp;
  load.lanes = x.lanes;
  load.buffer = x.context.buffer;
  load.make = make;
  load.from = from;
  return &load;
}

void repeat_loads(ExecuteContext& context, std::uint64_t cycle) {
  context.loads->take(cycle, [&](const LoggedLoad& load) {
    if (!context.stored->holds(load.buffer)) return;
    ExecuteResult result;
    Execution x{*load.instruction, *load.warp, context, result, load.lanes};
    load.make(x, load);
  });
}

}  // namespace stc::isa
