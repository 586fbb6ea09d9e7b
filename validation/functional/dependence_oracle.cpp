// SPDX-License-Identifier: Apache-2.0
#include "validation/functional/dependence_oracle.h"

namespace stc::functional {
namespace {

constexpr std::size_t kKept = 256;  // operations: nobody waits for one much longer

}  // namespace

void DependenceOracle::on_issue(std::uint32_t instruction, const std::optional<dependence::Operation>& operation) {
  // Dependences on this instruction that have no cycle to spare: every issue since the producer's counts.
  for (const auto& [from, to] : tight_) {
    for (std::uint64_t at = from; at < to; ++at) {
      const std::uint32_t issued = path_[at - 1];
      const std::uint32_t next = at < path_.size() ? path_[at] : instruction;
      needed_cycles_.insert({issued, next != issued + 1});
    }
  }
  tight_.clear();
  path_.push_back(instruction);
  if (!operation) return;
  operations_[operation->id] = {*operation, {}, {}};
  if (operations_.size() > kKept) operations_.erase(operations_.begin());
}

void DependenceOracle::on_wait(std::uint32_t instruction, std::size_t scoreboard,
                               const dependence::ScoreboardWaits& waits) {
  for (auto& [id, live] : operations_) {
    if (waits.tells_result(scoreboard, live.operation)) live.result.insert({instruction, scoreboard});
    if (waits.tells_sources(scoreboard, live.operation)) live.sources.insert({instruction, scoreboard});
  }
}

void DependenceOracle::on_dependence(const dependence::Dependence& d) {
  if (!d.scoreboard) {
    if (d.elapsed == d.needed) tight_.emplace_back(d.producer_at, d.consumer_at);
    return;
  }
  const auto live = operations_.find(d.operation.id);
  if (live == operations_.end()) return;
  const bool result = d.hazard != dependence::Hazard::kWriteAfterRead;
  const std::set<Wait>& waits = result ? live->second.result : live->second.sources;
  if (waits.size() == 1) needed_waits_.insert(*waits.begin());
}

}  // namespace stc::functional
