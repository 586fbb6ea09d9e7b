// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/execute.h"

#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/isa/state/launch_words.h"
#include "models/isa/text/listing.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/poison.h"
#include "models/isa/values/unset_symbols.h"

namespace stc::isa {

void register_fault(const Execution& x, int index) {
  throw_fault(x.instruction, x.warp, x.context, -1,
              fmt::format("register R{} is beyond the {} that the kernel declares", index, x.warp.r.size()));
}

void bindless_fault(const Execution& x) {
  throw_fault(x.instruction, x.warp, x.context, -1, "bindless constant buffers are not modelled");
}

const std::uint8_t* constant_data(const Execution& x, int bank, std::uint32_t offset, std::uint32_t bytes) {
  if (x.context.unset_symbols != nullptr) x.context.unset_symbols->constant_read(bank, offset, bytes);
  const std::vector<std::uint8_t>* data = nullptr;
  if (bank == 0) {
    data = &x.warp.cta->constant0;
  } else if (const auto found = x.context.kernel->constants.find(bank); found != x.context.kernel->constants.end()) {
    data = &found->second;
  }
  if (data == nullptr || std::uint64_t{offset} + bytes > data->size()) {
    throw_address_fault(x.instruction, x.warp, x.context, -1,
                        fmt::format("out-of-bounds {}-byte read of constant bank {} ({} bytes)", bytes, bank,
                                    data == nullptr ? 0 : data->size()),
                        Space::kConstant, offset);
  }
  return data->data() + offset;
}

void require_launch_word(const Execution& x, int bank, std::uint32_t offset) {
  const Kernel& kernel = *x.context.kernel;
  if (bank != 0 || offset >= kernel.parameter_base) return;
  const std::string name = unmodelled_launch_word(architecture_of(kernel.sm_version), offset);
  if (!name.empty()) throw_fault(x.instruction, x.warp, x.context, -1, fmt::format("{} is not modelled", name));
}

bool computes_matrix(const Execution& x) {
  if (x.lanes != kAllLanes) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("executed by lanes 0x{:08x}; all 32 must take part", x.lanes));
  }
  return x.context.values != Values::kAddresses;
}

void execute_invalid(Execution& x) {
  throw_fault(x.instruction, x.warp, x.context, -1,
              fmt::format("illegal instruction: opcode 0x{:03x}", x.instruction.encoding));
}

void execute_unmodelled(Execution& x) {
  throw_fault(x.instruction, x.warp, x.context, -1, listing_text(x.instruction) + " is decoded, but not modelled");
}

void execute_matrix(Execution& x) {
  if (computes_matrix(x)) execute_mma(x.instruction, x.warp, *x.context.numerics);
}

namespace {

constexpr std::array<Handler, kOpcodeCount> kHandlers = {
#define STC_OPCODE(name, handler, ...) handler,
#include "models/isa/opcodes.def"
};

/// Lanes in which the guard holds. Uniform operations run once per warp; `uniform` guards name UPx.
STC_INLINE LaneMask guarded_lanes(const Instruction& instruction, const WarpState& warp) {
  const PredicateOperand& guard = instruction.guard;
  if (guard.index == kPredicateTrue) return guard.negate ? 0u : warp.active;
  return predicate_lanes(warp, guard) & warp.active;
}

STC_INLINE void clear(ExecuteResult& result, LaneMask lanes) {
  static_cast<ExecuteOutcome&>(result) = {};
  result.lanes = lanes;
  if (!result.remote_arrivals.empty()) result.remote_arrivals.clear();
}

}  // namespace

void execute(const Instruction& instruction, WarpState& warp, ExecuteContext& context, ExecuteResult& result) {
  const LaneMask lanes = guarded_lanes(instruction, warp);
  clear(result, lanes);
  const std::uint32_t next = instruction.address + kInstructionBytes;
  if (lanes == 0) {
    warp.pc = next;
  } else {
    Execution x{instruction, warp, context, result, lanes};
    if (context.poison != nullptr) context.poison->registers_read(x);
    kHandlers[static_cast<std::size_t>(instruction.opcode)](x);
    if (context.poison != nullptr) Poison::registers_written(instruction, warp, lanes);
    if (!x.advance_pc) return;
    warp.pc = next;
  }
  const auto& code = context.kernel->code;
  if (&instruction + 1 == code.data() + code.size()) {
    throw_fault(instruction, warp, context, -1, "runs past the last instruction of the kernel");
  }
}

}  // namespace stc::isa
