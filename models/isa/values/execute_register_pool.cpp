// SPDX-License-Identifier: Apache-2.0
// USETMAXREG: a warp gives registers back to its CTA's pool or takes some from it (PTX ISA, setmaxnreg). Registers that
// it keeps keep their contents; what is in those that it takes nobody has written.
// Evidence: warps of an H200, together, one after the other and by parts of a warpgroup (measured/h200/register_pool.csv):
//           each goes for itself, and takes what warps of its own sub-core have given back. Registers that no warp had
//           at launch are in no pool.
#include <fmt/format.h>

#include <cstddef>

#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {

void execute_usetmaxreg(Execution& x) {
  constexpr std::uint16_t kGivesBack = 1;
  constexpr int kUnit = 8, kMost = 256;
  const int wanted = static_cast<int>(x.instruction.b.value), has = static_cast<int>(x.warp.r.size());
  const bool gives_back = x.instruction.mod.variant == kGivesBack;
  const auto fault = [&](const std::string& what) { throw_fault(x.instruction, x.warp, x.context, -1, what); };
  if (wanted % kUnit != 0 || wanted > kMost)
    fault(fmt::format("{} registers are no multiple of {} up to {}", wanted, kUnit, kMost));
  if (gives_back && wanted > has) fault(fmt::format("gives registers back and would have {} after {}", wanted, has));
  auto& pools = x.warp.cta->pooled_registers;
  int& pool = pools[static_cast<std::size_t>(x.warp.index_in_cta) % pools.size()];
  const bool enough = wanted - has <= pool;
  if (enough) {
    pool -= wanted - has;
    const bool poisoned = !x.warp.written.empty();
    Vector fresh{};
    if (poisoned) fresh.fill(~0u);
    x.warp.r.resize(static_cast<std::size_t>(wanted), fresh);
    if (poisoned) x.warp.written.resize(static_cast<std::size_t>(wanted), 0);
  }
  if (!gives_back) write_uniform_predicate(x, x.instruction.dest_predicate0, enough);
}

}  // namespace stc::isa
