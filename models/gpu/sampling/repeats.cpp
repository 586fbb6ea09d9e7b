// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/repeats.h"

#include <fmt/format.h>

#include "models/gpu/sampling/sampling_refused.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/values/execute.h"

namespace stc::gpu {
namespace {

/// Why an instruction makes what a CTA does depend on others; null: it does not.
const char* exchange(const isa::Instruction& in) {
  using isa::ExecutionUnit;
  if (isa::is_atomic(in.opcode)) return "atomics";
  switch (isa::traits_of(in.opcode).unit) {
    case ExecutionUnit::kMbarrier: return "mbarrier objects";
    case ExecutionUnit::kVotes: return "results of barriers";
    case ExecutionUnit::kBulk: return "bulk copies";
    default: break;
  }
  if (in.opcode == isa::Opcode::kArrives) return "mbarrier objects";
  if (in.opcode == isa::Opcode::kNanosleep) return "sleeping threads";
  return nullptr;
}

}  // namespace

void require_no_exchange(const Launch& launch, const sm::LaunchContext& context) {
  if (context.cluster) throw SamplingRefused("its CTAs form clusters");
  if (launch.grid_workspace != 0) throw SamplingRefused("it is a cooperative launch: its CTAs wait for each other");
  for (const isa::ExternalFunction& external : launch.kernel->externals) {
    if (external.function == isa::DriverFunction::kAssertFail) continue;
    throw SamplingRefused(fmt::format("it calls {}", external.name));
  }
  for (const isa::Instruction& in : launch.kernel->code) {
    const char* const what = exchange(in);
    if (what == nullptr) continue;
    throw SamplingRefused(fmt::format("it uses {} ({} at {:#06x})", what, isa::mnemonic(in), in.address));
  }
}

}  // namespace stc::gpu
