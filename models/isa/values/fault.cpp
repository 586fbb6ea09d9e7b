// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/fault.h"

#include <fmt/format.h>

#include "models/isa/state/address_space.h"
#include "models/isa/text/kernel_name.h"

namespace stc::isa {
namespace {

std::string where(const Instruction& instruction, const Kernel* kernel, const Dim3* cta, int warp, int lane) {
  std::string text =
      fmt::format("kernel '{}', instruction {} at 0x{:04x}", kernel != nullptr ? readable_name(kernel->name) : "?",
                  mnemonic(instruction), instruction.address);
  if (cta != nullptr) text += fmt::format(", CTA ({}, {}, {})", cta->x, cta->y, cta->z);
  text += fmt::format(", warp {}", warp);
  if (lane >= 0) text += fmt::format(", lane {}", lane);
  return text;
}

const char* name_of(Space space) {
  switch (space) {
    case Space::kGlobal: return "global";
    case Space::kShared: return "shared";
    case Space::kDistributed: return "distributed shared";
    case Space::kLocal: return "local";
    case Space::kConstant: return "constant";
    case Space::kNone: break;
  }
  return "unmapped";
}

}  // namespace

void throw_fault(const Instruction& instruction, const WarpState& warp, const ExecuteContext& context, int lane,
                 const std::string& what) {
  const Dim3* const cta = warp.cta != nullptr ? &warp.cta->index : nullptr;
  throw SimulatedFault(where(instruction, context.kernel, cta, warp.index_in_cta, lane) + ": " + what);
}

void throw_fault(const IssuedBy& by, const Kernel& kernel, const std::string& what) {
  throw SimulatedFault(where(*by.instruction, &kernel, &by.cta, by.warp, -1) + ": " + what);
}

void throw_address_fault(const Instruction& instruction, const WarpState& warp, const ExecuteContext& context, int lane,
                         const std::string& what, Space space, std::uint64_t address) {
  std::string text = fmt::format("{} at {} address 0x{:x}", what, name_of(space), address);
  if (space == Space::kGlobal && context.memory != nullptr) {
    text += "; the address is " + context.memory->describe_place(address);
  } else if (space == Space::kShared && warp.cta != nullptr) {
    text += fmt::format("; the CTA has {} bytes of shared memory", warp.cta->shared.size());
  } else if (space == Space::kLocal && context.kernel != nullptr) {
    const Kernel& kernel = *context.kernel;
    text += fmt::format(
        "; a thread has {} bytes of local memory (options.stack_bytes, cudaLimitStackSize, gives more to calls)",
        local_memory_bytes(kernel.local_bytes, kernel.stack_bytes));
  }
  throw_fault(instruction, warp, context, lane, text);
}

}  // namespace stc::isa
