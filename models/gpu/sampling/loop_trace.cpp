// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/loop_trace.h"

#include <fmt/format.h>

#include <utility>

#include "models/gpu/sampling/sampling_refused.h"

namespace stc::gpu {
namespace {

constexpr std::size_t kStatesKept = 64;                              // at either end
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 24;  // of a warp

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) { return (hash ^ value) * 0x100000001b3ULL; }

Executed executed_by(const isa::ExecuteResult& result, isa::LaneMask active, isa::LaneMask live) {
  if (result.lanes == 0) return Executed::kByNone;
  return result.lanes == active && active == live ? Executed::kByAll : Executed::kBySome;
}

/// One step of a warp, with data followed.
const isa::ExecuteResult& followed_step(CtaWalk& walk, int warp, const DataFlow& flow, WarpData& data) {
  const isa::WarpState& state = walk.warp(warp);
  const isa::LaneMask active = state.active;
  const isa::Instruction& instruction = walk.next(warp);
  const std::size_t at = instruction.address / isa::kInstructionBytes;
  const isa::ExecuteResult& result = walk.step(warp);
  const int steering = data.follow(flow.of(at), executed_by(result, active, state.live));
  if (steering >= 0) {
    throw SamplingRefused(fmt::format("{} decides where {} at {:#06x} goes or what it accesses, and holds data",
                                      isa::resource_name(steering), isa::mnemonic(instruction), instruction.address));
  }
  return result;
}

/// Calls `each(instruction, result)` for every instruction of a warp.
template <class Each>
void walk_through(CtaWalk& walk, int warp, const DataFlow& flow, WarpData& data, const Each& each) {
  std::uint64_t executed = 0;
  while (!walk.warp(warp).exited()) {
    if (++executed > kMostInstructions) throw SamplingRefused("its warps run too long for what they do to be followed");
    const isa::Instruction& instruction = walk.next(warp);
    each(instruction, followed_step(walk, warp, flow, data));
  }
}

}  // namespace

std::map<std::uint32_t, BackBranch> back_branches(CtaWalk& walk, int warp, const DataFlow& flow) {
  std::map<std::uint32_t, BackBranch> found;
  std::uint64_t at = 0;
  WarpData data;
  walk_through(walk, warp, flow, data, [&](const isa::Instruction& instruction, const isa::ExecuteResult& result) {
    ++at;
    if (!went_back(instruction, walk.warp(warp), result)) return;
    BackBranch& branch = found[instruction.address];
    if (branch.passes++ == 0) branch.first_at = at;
    branch.last_at = at;
  });
  return found;
}

LoopTrace::LoopTrace(CtaWalk& walk, int warp, const DataFlow& flow, std::uint32_t branch) {
  Segment segment;
  WarpData data;
  walk_through(walk, warp, flow, data, [&](const isa::Instruction& instruction, const isa::ExecuteResult& result) {
    const std::size_t touched = segment.touches.size();
    add_touches(instruction, result, segment.touches);
    ++segment.instructions;
    segment.way = mixed(mixed(segment.way, instruction.address), result.lanes);
    segment.way = mixed(segment.way, result.access_lanes);
    for (std::size_t i = touched; i < segment.touches.size(); ++i) {
      segment.way = mixed(segment.way, segment.touches[i].sectors);
    }
    if (instruction.address == branch && went_back(instruction, walk.warp(warp), result)) {
      if (!walk.warp(warp).waiting.empty()) throw SamplingRefused("threads of a warp part ways in its loop");
      end_pass(segment, walk.warp(warp), data);
    }
  });
}

void LoopTrace::end_pass(Segment& segment, const isa::WarpState& warp, const WarpData& data) {
  segments_.push_back(std::exchange(segment, {}));
  std::deque<State>& states = early_.size() < kStatesKept ? early_ : late_;
  states.push_back({warp.r.all(), warp.ur, warp.p, warp.up, data});
  if (late_.size() > kStatesKept) late_.pop_front();
}

const LoopTrace::State* LoopTrace::state(std::uint32_t pass) const {
  if (pass == 0 || pass > passes()) return nullptr;
  if (pass <= early_.size()) return &early_[pass - 1];
  const std::size_t from_end = passes() - pass;
  return from_end < late_.size() ? &late_[late_.size() - 1 - from_end] : nullptr;
}

bool LoopTrace::same_predicates(const State& a, const State& b) {
  for (std::size_t p = 0; p < a.predicates.size(); ++p) {
    const int lanes = isa::kFirstPredicate + static_cast<int>(p),
              uniform = isa::kFirstUniformPredicate + static_cast<int>(p);
    if (p >= 7) break;  // always true
    if (!a.data.holds_data(lanes) && a.predicates[p] != b.predicates[p]) return false;
    if (!a.data.holds_data(uniform) && a.uniform_predicates[p] != b.uniform_predicates[p]) return false;
  }
  return true;
}

WarpStep LoopTrace::between(const State& from, const State& to) {
  WarpStep step;
  for (std::size_t r = 0; r < from.general.size(); ++r) {
    const int resource = static_cast<int>(r);
    if (from.data.holds_data(resource) || to.data.holds_data(resource)) continue;
    WarpStep::Register change;
    change.index = static_cast<std::uint16_t>(r);
    bool moves = false;
    for (std::size_t lane = 0; lane < isa::kWarpSize; ++lane) {
      change.by[lane] = to.general[r][lane] - from.general[r][lane];
      moves = moves || change.by[lane] != 0;
    }
    if (moves) step.general.push_back(change);
  }
  for (std::size_t r = 0; r < from.uniform.size() - 1; ++r) {
    if (from.data.holds_data(isa::kFirstUniform + static_cast<int>(r))) continue;
    step.uniform[r] = to.uniform[r] - from.uniform[r];
  }
  return step;
}

std::optional<std::vector<std::int64_t>> LoopTrace::lines_between(const Segment& from, const Segment& to) {
  if (from.way != to.way || from.touches.size() != to.touches.size()) return std::nullopt;
  std::vector<std::int64_t> lines;
  for (std::size_t i = 0; i < from.touches.size(); ++i) {
    if (from.touches[i].sectors != to.touches[i].sectors) return std::nullopt;
    lines.push_back(static_cast<std::int64_t>(to.touches[i].line - from.touches[i].line));
  }
  return lines;
}

std::optional<EvenPart> LoopTrace::even_part(std::uint32_t first, std::uint32_t period) const {
  const State* const a = state(first);
  const State* const b = state(first + period);
  const State* const c = state(first + 2 * period);
  if (a == nullptr || b == nullptr || c == nullptr || first + 2 * period >= passes()) return std::nullopt;
  EvenPart even;
  even.step = between(*a, *b);
  if (!(even.step == between(*b, *c)) || !same_predicates(*a, *b) || !same_predicates(*b, *c)) return std::nullopt;
  std::vector<std::vector<std::int64_t>> lines;
  for (even.last = first + period; even.last < passes(); ++even.last) {
    const auto moved = lines_between(after(even.last - period), after(even.last));
    const std::size_t at = (even.last - first) % period;
    if (!moved || (at < lines.size() && lines[at] != *moved)) break;
    if (at >= lines.size()) lines.push_back(*moved);
  }
  if (even.last < first + 2 * period) return std::nullopt;
  for (const auto& of_pass : lines) even.step.lines.insert(even.step.lines.end(), of_pass.begin(), of_pass.end());
  return even;
}

bool LoopTrace::arrives(std::uint32_t first, std::uint32_t period, std::uint64_t periods, const WarpStep& step) const {
  const State* const from = state(first);
  const State* const to = state(first + static_cast<std::uint32_t>(periods) * period);
  if (from == nullptr || to == nullptr || !same_predicates(*from, *to)) return false;
  WarpStep all = step;
  for (WarpStep::Register& change : all.general) {
    for (std::uint32_t& by : change.by) by *= static_cast<std::uint32_t>(periods);
  }
  for (std::uint32_t& by : all.uniform) by *= static_cast<std::uint32_t>(periods);
  all.lines.clear();
  return all == between(*from, *to);
}

std::uint64_t LoopTrace::instructions(std::uint32_t first, std::uint32_t last) const {
  std::uint64_t sum = 0;
  for (std::uint32_t pass = first; pass < last; ++pass) sum += after(pass).instructions;
  return sum;
}

}  // namespace stc::gpu
