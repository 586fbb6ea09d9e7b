// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/independent_ctas.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"
#include "models/isa/values/special_register.h"

namespace stc::gpu {
namespace {

bool reaches_others(const isa::Instruction& x) {
  switch (x.opcode) {
    case isa::Opcode::kMembar:
    case isa::Opcode::kNanosleep: return true;
    case isa::Opcode::kCs2r:
    case isa::Opcode::kS2r:
    case isa::Opcode::kS2ur: return isa::tells_place_or_time(x.mod.special_register);
    default: return isa::traits_of(x.opcode).unit == isa::ExecutionUnit::kGlobalAtomic || x.mem.strong_at_gpu();
  }
}

}  // namespace

bool ctas_are_independent(const isa::Kernel& kernel) {
  return kernel.externals.empty() && std::none_of(kernel.code.begin(), kernel.code.end(), reaches_others);
}

}  // namespace stc::gpu
