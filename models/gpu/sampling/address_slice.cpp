// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/address_slice.h"

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "models/isa/opcode_traits.h"

namespace stc::gpu {
namespace {

using isa::ExecutionUnit;
using isa::Opcode;
using Resources = std::bitset<isa::kResources>;

/// Whether an instruction does nothing to its warp but write registers, or nothing at all.
bool writes_registers_alone(const isa::Instruction& in, const DataFlow::Use& use) {
  switch (isa::traits_of(in.opcode).unit) {
    case ExecutionUnit::kSharedStore: return true;
    case ExecutionUnit::kNone:
    case ExecutionUnit::kBranch:
    case ExecutionUnit::kMbarrier:
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kGlobalAtomic:
    case ExecutionUnit::kAsyncCopy:
    case ExecutionUnit::kWarpgroup:
    case ExecutionUnit::kBulk: return false;
    default: return !use.writes.empty();
  }
}

/// What a thread needs of its registers from each instruction on, found from the end to the beginning.
class Needs {
 public:
  explicit Needs(const isa::Kernel& kernel) : code_(kernel.code), flow_(kernel), before_(kernel.code.size()) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].opcode == Opcode::kBssy) meetings_.push_back(code_[i].target / isa::kInstructionBytes);
    }
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = code_.size(); i-- > 0;) {
        const Resources found = needed_before(i);
        more = more || found != before_[i];
        before_[i] = found;
      }
    }
  }

  bool held(std::size_t i) const {
    const DataFlow::Use& use = flow_.of(i);
    if (!writes_registers_alone(code_[i], use)) return true;
    const Resources after = needed_after(i);
    return std::any_of(use.writes.begin(), use.writes.end(), [&](std::uint16_t resource) { return after[resource]; });
  }

 private:
  /// Wherever a thread may go from here.
  Resources needed_after(std::size_t i) const {
    Resources needed;
    const auto at = [&](std::size_t next) {
      if (next < before_.size()) needed |= before_[next];
    };
    at(i + 1);
    switch (code_[i].opcode) {
      case Opcode::kBra: at(code_[i].target / isa::kInstructionBytes); break;
      case Opcode::kBsync:
        for (const std::size_t meeting : meetings_) at(meeting);
        break;
      case Opcode::kBrx:
      case Opcode::kCall:
      case Opcode::kRet:
        for (const Resources& anywhere : before_) needed |= anywhere;
        break;
      default: break;
    }
    return needed;
  }

  Resources needed_before(std::size_t i) const {
    const isa::Instruction& in = code_[i];
    const DataFlow::Use& use = flow_.of(i);
    Resources needed = needed_after(i);
    const bool runs = held(i);
    if (in.guard.index == isa::kPredicateTrue && !in.guard.negate) {
      for (const std::uint16_t resource : use.writes) needed.reset(resource);
    }
    if (!runs) return needed;
    // What a store writes and what a load brings is not asked for.
    const ExecutionUnit unit = isa::traits_of(in.opcode).unit;
    const bool addresses_alone =
        unit == ExecutionUnit::kGlobalLoad || unit == ExecutionUnit::kGlobalStore || unit == ExecutionUnit::kAsyncCopy;
    for (const std::uint16_t resource : addresses_alone ? use.steers : use.reads) needed.set(resource);
    return needed;
  }

  const std::vector<isa::Instruction>& code_;
  const DataFlow flow_;
  std::vector<Resources> before_;
  std::vector<std::size_t> meetings_;  // where paths go on together
};

}  // namespace

AddressSlice::AddressSlice(const isa::Kernel& kernel) {
  const Needs needs(kernel);
  next_.resize(kernel.code.size());
  auto next = static_cast<std::uint32_t>(kernel.code.size());
  for (std::size_t i = kernel.code.size(); i-- > 0;) {
    if (needs.held(i)) next = static_cast<std::uint32_t>(i);
    next_[i] = next;
  }
}

}  // namespace stc::gpu
