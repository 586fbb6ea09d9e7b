// SPDX-License-Identifier: Apache-2.0
#include "models/sm/progress_watch.h"

#include <algorithm>

namespace stc::sm {
namespace {

/// When the last of the warp's sleeping paths wakes, in ns of the global timer.
std::uint64_t last_wake(const isa::WarpState& warp) {
  std::uint64_t wake = 0;
  for (const isa::Path& path : warp.waiting) {
    if (path.wait == isa::PathWait::kSleep) wake = std::max(wake, path.wake_ns);
  }
  return wake;
}

/// Whether others may see that the instruction was executed.
bool acts(const isa::Instruction& instruction, const isa::ExecuteResult& result) {
  if (result.lanes == 0) return false;
  switch (instruction.opcode) {
    case isa::Opcode::kB2r:  // with BAR.RED: what other warps voted
    case isa::Opcode::kSyncsExchange:
    case isa::Opcode::kSyncsArrive:
    case isa::Opcode::kSyncsInvalidate:
    case isa::Opcode::kArrives:
    case isa::Opcode::kUblkcp:
    case isa::Opcode::kUtmaldg:
    case isa::Opcode::kUtmastg: return true;
    case isa::Opcode::kUsetmaxreg: return instruction.mod.variant == 1;  // who gives none back may ask again and again
    default: break;
  }
  if (result.shared_lanes != 0 || result.driver_lanes != 0) return true;
  return result.memory_changed;
}

}  // namespace

void ProgressWatch::begin_launch(const isa::Kernel* kernel, std::size_t warps) {
  *this = {};
  control_.reset(kernel);
  instructions_ = kernel->code.size();
  rounds_.resize(warps);
}

void ProgressWatch::begin_span(Stage stage, Cycle now) {
  for (Round& round : rounds_) {
    if (stage == Stage::kGather) {
      round = {};
    } else if (stage == Stage::kCompare && stage_ == Stage::kGather) {
      round.inputs = control_.of(round.visited);
    }
    round.anchor = ~std::uint32_t{0};
    round.visits = 0;
    round.repeats = false;
  }
  stage_ = stage;
  since_ = now;
  progressed_ = false;
}

void ProgressWatch::look(const WarpContext& warp, const isa::Instruction& instruction, const isa::ExecuteResult& result,
                         const isa::ExecuteContext& context) {
  Round& round = rounds_[static_cast<std::size_t>(warp.slot)];
  const std::size_t index = instruction.address / isa::kInstructionBytes;
  const bool executed = result.lanes != 0;
  if (acts(instruction, result)) progressed_ = true;
  if (stage_ == Stage::kCompare) {
    const bool known =
        !round.visited.reached.empty() && round.visited.reached[index] && (!executed || round.visited.executed[index]);
    if (!known) progressed_ = true;
    if (!progressed_) compare(warp.state, round, instruction, result.branched, context.global_timer_ns);
    return;
  }
  if (round.visited.reached.empty()) {
    round.visited.reached.assign(instructions_, false);
    round.visited.executed.assign(instructions_, false);
  }
  round.visited.reached[index] = true;
  if (executed) round.visited.executed[index] = true;
}

/// Finds a state that returns, after however many rounds, by keeping that of visit 1, 2, 4, 8 ... (Brent). Paths that
/// slept at the visit that is kept must have woken: what they do belongs to the round.
void ProgressWatch::compare(const isa::WarpState& warp, Round& round, const isa::Instruction& instruction,
                            bool branched, std::uint64_t now_ns) {
  if (round.repeats) return;
  if (round.visits == 0 && branched) round.anchor = instruction.address;
  if (instruction.address != round.anchor) return;
  const std::uint64_t state = control_state(warp, round.inputs);
  if (round.visits != 0 && state == round.state && now_ns >= round.wake_ns) round.repeats = true;
  ++round.visits;
  if ((round.visits & (round.visits - 1)) != 0) return;
  round.state = state;
  round.wake_ns = last_wake(warp);
}

bool ProgressWatch::stands_still(const WarpContext& warp) const {
  if (warp.held_at_barrier && warp.issued_at < since_) return true;
  return rounds_[static_cast<std::size_t>(warp.slot)].repeats;
}

}  // namespace stc::sm
