// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/scoreboard_waits.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"

namespace stc::dependence {
namespace {

constexpr std::size_t kMostCounted = 63;  // what DEPBAR can name

std::size_t index_of(Unit unit) { return static_cast<std::size_t>(unit); }

}  // namespace

Unit unit_of(isa::Opcode opcode) {
  using isa::ExecutionUnit;
  if (opcode == isa::Opcode::kMovm) return Unit::kMatrixMoves;
  if (opcode == isa::Opcode::kQspc) return Unit::kShared;
  switch (isa::traits_of(opcode).unit) {
    case ExecutionUnit::kSharedLoad:
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kShuffle:
    case ExecutionUnit::kMbarrier: return Unit::kShared;
    case ExecutionUnit::kAsyncCopy:
    case ExecutionUnit::kBulk:
    case ExecutionUnit::kCopyFence: return Unit::kCopy;
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kGlobalAtomic: return Unit::kGlobal;
    case ExecutionUnit::kConstant: return Unit::kConstant;
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion:
    case ExecutionUnit::kDivisionCheck: return Unit::kSpecial;
    case ExecutionUnit::kStatus: return Unit::kStatus;
    case ExecutionUnit::kFp64: return Unit::kDouble;
    case ExecutionUnit::kVotes: return Unit::kVotes;
    case ExecutionUnit::kNone:
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kFmaWide:
    case ExecutionUnit::kHalf:
    case ExecutionUnit::kCrossLane:
    case ExecutionUnit::kTensor:
    case ExecutionUnit::kWarpgroup:
    case ExecutionUnit::kUniform:
    case ExecutionUnit::kBranch: break;
  }
  return Unit::kOther;
}

void ScoreboardWaits::issued(const Operation& operation, std::uint64_t time) {
  if (has_recent_) count(recent_);
  recent_ = operation;
  recent_time_ = time;
  has_recent_ = true;
}

void ScoreboardWaits::advance(std::uint64_t time) {
  if (has_recent_ && time >= recent_time_ + kScoreboardRise) count(recent_);
}

void ScoreboardWaits::passed_barrier() {
  std::uint32_t& read = reads_[index_of(queue_of(Unit::kShared))];
  read = std::max(read, has_recent_ ? recent_.id : counted_);
}

void ScoreboardWaits::count(const Operation& operation) {
  const std::size_t queue = index_of(queue_of(operation.unit));
  if (operation.write_scoreboard < kScoreboards) {
    last_result_[operation.write_scoreboard][index_of(operation.unit)] = operation.id;
    last_read_[operation.write_scoreboard][queue] = operation.id;
  }
  for (const std::uint8_t scoreboard : {operation.write_scoreboard, operation.read_scoreboard}) {
    if (scoreboard < kScoreboards) queue_on(scoreboard, operation);
  }
  if (operation.read_scoreboard < kScoreboards) last_read_[operation.read_scoreboard][queue] = operation.id;
  counted_ = operation.id;
  has_recent_ = false;
}

void ScoreboardWaits::queue_on(std::size_t scoreboard, const Operation& operation) {
  std::vector<Operation>& queued = queued_[scoreboard];
  // Who raises a scoreboard until its sources are read lowers it at another time than who raises it for its result.
  const bool alike = queued.empty() || (queued.back().unit == operation.unit &&
                                        queued.back().write_scoreboard == operation.write_scoreboard);
  if (!alike) queued.clear();
  if (queued.size() > 2 * kMostCounted) queued.erase(queued.begin(), queued.begin() + kMostCounted);
  queued.push_back(operation);
}

std::optional<Operation> ScoreboardWaits::answered(std::size_t scoreboard, std::size_t left) {
  // DEPBAR looks late enough for who issued a cycle before it: nvcc relies on that.
  if (has_recent_) count(recent_);
  const std::vector<Operation>& queued = queued_[scoreboard];
  if (queued.size() <= left) return std::nullopt;
  const Operation& last = queued[queued.size() - 1 - left];
  if (!answers_in_order(last.unit) || last.write_scoreboard != scoreboard) return std::nullopt;
  return last;
}

void ScoreboardWaits::told_of(const Operation& answered) {
  std::uint32_t& known = results_[index_of(answered.unit)];
  known = std::max(known, answered.id);
}

void ScoreboardWaits::wait(std::size_t scoreboard) {
  waited_[scoreboard] = counted_;
  for (std::size_t u = 0; u < kUnits; ++u) {
    if (answers_in_order(static_cast<Unit>(u))) results_[u] = std::max(results_[u], last_result_[scoreboard][u]);
    reads_[u] = std::max(reads_[u], last_read_[scoreboard][u]);
  }
}

bool ScoreboardWaits::result_arrived(const Operation& operation) const {
  if (operation.id <= results_[index_of(operation.unit)]) return true;
  const std::uint8_t scoreboard = operation.write_scoreboard;
  return scoreboard < kScoreboards && operation.id <= waited_[scoreboard];
}

bool ScoreboardWaits::sources_read(const Operation& operation) const {
  if (operation.id <= reads_[index_of(queue_of(operation.unit))] || result_arrived(operation)) return true;
  const std::uint8_t scoreboard = operation.read_scoreboard;
  return scoreboard < kScoreboards && operation.id <= waited_[scoreboard];
}

bool ScoreboardWaits::tells_result(std::size_t scoreboard, const Operation& operation) const {
  if (operation.write_scoreboard == scoreboard && operation.id <= counted_) return true;
  return answers_in_order(operation.unit) && operation.id <= last_result_[scoreboard][index_of(operation.unit)];
}

bool ScoreboardWaits::tells_sources(std::size_t scoreboard, const Operation& operation) const {
  if (operation.read_scoreboard == scoreboard && operation.id <= counted_) return true;
  return tells_result(scoreboard, operation) ||
         operation.id <= last_read_[scoreboard][index_of(queue_of(operation.unit))];
}

}  // namespace stc::dependence
