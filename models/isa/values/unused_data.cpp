// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/unused_data.h"

#include <algorithm>
#include <bitset>

#include "models/isa/bulk_form.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/resource_use.h"

namespace stc::isa {
namespace {

using Registers = std::bitset<kFirstUniform>;  // general ones

bool is_product(const Instruction& in) { return takes_tensor_core(in.opcode) || in.opcode == Opcode::kDmma; }

/// Whether a thread goes on at the next instruction, at a branch's target, where paths meet or behind a collective, and
/// nowhere else.
bool goes_known_ways(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::kBra:
    case Opcode::kExit:
    case Opcode::kBssy:
    case Opcode::kBsync:
    case Opcode::kBreak:
    case Opcode::kWarpsync:
    case Opcode::kEndcollective: return true;
    case Opcode::kInvalid: return false;
    default: return traits_of(in.opcode).unit != ExecutionUnit::kBranch;
  }
}

bool is_collective(const Instruction& in) { return in.opcode == Opcode::kWarpsync && in.mod.variant == 2; }

bool loads(const Instruction& in) {
  return in.opcode == Opcode::kLds || in.opcode == Opcode::kLdsm || in.opcode == Opcode::kLdg;
}

/// Whether an instruction computes registers from registers, so that it matters to nobody if they do not.
bool computes(const Instruction& in) {
  switch (traits_of(in.opcode).unit) {
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kFmaWide:
    case ExecutionUnit::kHalf: return true;
    default: return false;
  }
}

/// Which registers a thread still needs, found from the end to the beginning.
class Needs {
 public:
  explicit Needs(const Kernel& kernel) : code_(kernel.code), before_(code_.size()) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      uses_.push_back(use_of(code_[i]));
      if (code_[i].opcode == Opcode::kBssy) meetings_.push_back(code_[i].target / kInstructionBytes);
      if (!is_collective(code_[i])) continue;
      collectives_.push_back(i + 1);
      behind_collectives_.push_back(code_[i].target / kInstructionBytes);
    }
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = code_.size(); i-- > 0;) {
        const Registers found = needed_before(i);
        more = more || found != before_[i];
        before_[i] = found;
      }
    }
  }

  /// Whether nobody needs what the instruction writes, which are general registers alone.
  bool in_vain(std::size_t i) const { return uses_[i].writes_alone && (needed_after(i) & uses_[i].writes).none(); }

 private:
  struct Use {
    Registers reads, writes;
    bool writes_alone = false;  // it does nothing else
  };

  static Use use_of(const Instruction& in) {
    Use use;
    if (is_product(in)) return use;  // is not computed: reads and writes nothing
    const ResourceUse found = resource_use(in);
    use.writes_alone = loads(in) || computes(in);
    for (const ResourceRead& read : found.reads) {
      if (is_general(read.resource)) use.reads.set(read.resource);
    }
    for (const ResourceWrite& write : found.writes) {
      if (is_general(write.resource)) {
        use.writes.set(write.resource);
      } else {
        use.writes_alone = false;
      }
    }
    return use;
  }

  /// Wherever a thread may go from here.
  Registers needed_after(std::size_t i) const {
    Registers needed;
    const auto at = [&](std::size_t next) {
      if (next < before_.size()) needed |= before_[next];
    };
    at(i + 1);
    if (code_[i].opcode == Opcode::kBsync) {
      for (const std::size_t meeting : meetings_) at(meeting);
    } else if (is_collective(code_[i])) {
      for (const std::size_t collective : collectives_) at(collective);  // all run what is behind one of them
    } else if (code_[i].opcode == Opcode::kEndcollective) {
      for (const std::size_t behind : behind_collectives_) at(behind);
    } else if (code_[i].target != 0 || code_[i].opcode == Opcode::kBra) {
      at(code_[i].target / kInstructionBytes);
    }
    return needed;
  }

  Registers needed_before(std::size_t i) const {
    Registers needed = needed_after(i);
    const bool for_nothing = in_vain(i) && computes(code_[i]);
    const PredicateOperand& guard = code_[i].guard;
    if (guard.index == kPredicateTrue && !guard.negate) needed &= ~uses_[i].writes;
    if (!for_nothing) needed |= uses_[i].reads;
    return needed;
  }

  const std::vector<Instruction>& code_;
  std::vector<Use> uses_;
  std::vector<Registers> before_;
  std::vector<std::size_t> meetings_;            // where paths go on together
  std::vector<std::size_t> collectives_;         // what WARPSYNC.COLLECTIVE gathers lanes for
  std::vector<std::size_t> behind_collectives_;  // where they go on behind it
};

/// A bulk or tensor copy from global memory to shared memory.
bool loads_bulk(const Instruction& in) {
  const BulkForm form = BulkForm::of(in.mod.variant);
  return in.opcode == Opcode::kUtmaldg || (in.opcode == Opcode::kUblkcp && form.to_shared && !form.from_shared);
}

bool looks_at_shared_by_bulk(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::kUblkcp: return !loads_bulk(in);
    case Opcode::kUtmaldg:
    case Opcode::kUtmapf:
    case Opcode::kUblkpf:
    case Opcode::kUtmacctl:
    case Opcode::kUtmacmdflush: return false;
    default: return true;
  }
}

/// Whether an instruction may look at what shared memory holds, loads by its name and products left out. Words of
/// mbarrier objects are no data: PTX forbids to access them otherwise.
bool looks_at_shared(const Instruction& in) {
  switch (traits_of(in.opcode).unit) {
    case ExecutionUnit::kMbarrier: return false;
    case ExecutionUnit::kBulk: return looks_at_shared_by_bulk(in);
    case ExecutionUnit::kSharedLoad: return !loads(in);
    case ExecutionUnit::kGlobalLoad: return in.opcode == Opcode::kLd;
    case ExecutionUnit::kGlobalAtomic: return in.opcode == Opcode::kAtom;
    case ExecutionUnit::kCopyFence: return in.opcode == Opcode::kArrives;
    case ExecutionUnit::kNone:
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kVotes:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kFmaWide:
    case ExecutionUnit::kHalf:
    case ExecutionUnit::kFp64:
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion:
    case ExecutionUnit::kDivisionCheck:
    case ExecutionUnit::kStatus:
    case ExecutionUnit::kCrossLane:
    case ExecutionUnit::kConstant:
    case ExecutionUnit::kTensor:
    case ExecutionUnit::kUniform:
    case ExecutionUnit::kBranch:
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kShuffle:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kAsyncCopy:
    case ExecutionUnit::kWarpgroup: return false;
  }
  return true;
}

bool writes_shared(const Instruction& in) {
  return in.opcode == Opcode::kSts || in.opcode == Opcode::kStsm || in.opcode == Opcode::kLdgsts || loads_bulk(in);
}

}  // namespace

UnusedData::UnusedData(const Kernel& kernel) {
  const auto& code = kernel.code;
  if (std::none_of(code.begin(), code.end(), is_product)) return;
  if (!std::all_of(code.begin(), code.end(), goes_known_ways) || !kernel.externals.empty()) return;
  const Needs needs(kernel);
  bool shared_is_used = std::any_of(code.begin(), code.end(), looks_at_shared);
  for (std::size_t i = 0; i < code.size(); ++i) {
    moves_.push_back(loads(code[i]) && needs.in_vain(i) ? 1 : 0);
    const bool from_shared = traits_of(code[i].opcode).unit == ExecutionUnit::kSharedLoad;
    shared_is_used = shared_is_used || (from_shared && moves_.back() == 0);
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (writes_shared(code[i]) && !shared_is_used) moves_[i] = 1;
  }
}

}  // namespace stc::isa
