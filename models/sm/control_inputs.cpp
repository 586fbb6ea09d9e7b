// SPDX-License-Identifier: Apache-2.0
#include "models/sm/control_inputs.h"

#include <algorithm>
#include <bitset>

namespace stc::sm {
namespace {

using Resources = std::bitset<isa::kResources>;

class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

void add_value(Hash& hash, const isa::WarpState& warp, std::uint16_t resource) {
  if (isa::is_general(resource)) {
    for (const std::uint32_t word : warp.r[resource]) hash.add(word);
  } else if (isa::is_uniform_register(resource)) {
    hash.add(warp.ur[resource - isa::kFirstUniform]);
  } else if (isa::is_predicate(resource)) {
    hash.add(warp.p[resource - isa::kFirstPredicate]);
  } else {
    hash.add(warp.up[resource - isa::kFirstUniformPredicate] ? 1 : 0);
  }
}

}  // namespace

void ControlInputs::reset(const isa::Kernel* kernel) {
  kernel_ = kernel;
  uses_.assign(kernel->code.size(), {});
  known_.assign(kernel->code.size(), false);
}

const isa::ResourceUse& ControlInputs::use(std::size_t instruction) {
  if (!known_[instruction]) uses_[instruction] = isa::resource_use(kernel_->code[instruction]);
  known_[instruction] = true;
  return uses_[instruction];
}

std::vector<std::uint16_t> ControlInputs::of(const Visited& visited) {
  Resources inputs;
  const auto matters = [&](const isa::ResourceWrite& write) { return inputs[write.resource]; };
  for (std::size_t before = kernel_->code.size() + 1; before != inputs.count();) {
    before = inputs.count();
    for (std::size_t i = 0; i < visited.reached.size(); ++i) {
      if (!visited.reached[i]) continue;
      const isa::ResourceUse& u = use(i);
      // Who writes no register acts by itself: a branch, a barrier, a store.
      const bool counts =
          visited.executed[i] && (u.writes.empty() || std::any_of(u.writes.begin(), u.writes.end(), matters));
      for (const isa::ResourceRead& read : u.reads) {
        if (counts || read.slot == isa::UseSlot::kGuard) inputs.set(read.resource);
      }
    }
  }
  std::vector<std::uint16_t> list;
  for (std::uint16_t r = 0; r < isa::kResources; ++r) {
    if (inputs[r]) list.push_back(r);
  }
  return list;
}

std::uint64_t control_state(const isa::WarpState& warp, const std::vector<std::uint16_t>& inputs) {
  Hash hash;
  for (const std::uint64_t word : {std::uint64_t{warp.pc}, std::uint64_t{warp.active}, std::uint64_t{warp.live},
                                   std::uint64_t{warp.moved_barriers}, std::uint64_t{warp.released}}) {
    hash.add(word);
  }
  for (const isa::LaneMask lanes : warp.convergence) hash.add(lanes);
  for (const std::uint32_t target : warp.collective_target) hash.add(target);
  bool another_can_run = false;
  for (const isa::Path& path : warp.waiting) {
    hash.add(std::uint64_t{path.pc} << 32 | path.lanes);
    hash.add(std::uint64_t{path.expected} << 32 | static_cast<std::uint64_t>(path.wait) << 16 | path.barrier);
    hash.add((path.again ? 4u : 0u) | (path.fresh ? 2u : 0u) | (path.yielded ? 1u : 0u));
    another_can_run |= path.wait == isa::PathWait::kNothing || path.wait == isa::PathWait::kSleep;
  }
  // Its patience with the running path ends some time.
  if (another_can_run) hash.add(warp.diverged_branches);
  for (const std::uint16_t resource : inputs) add_value(hash, warp, resource);
  return hash.value();
}

}  // namespace stc::sm
