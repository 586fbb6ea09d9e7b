// SPDX-License-Identifier: Apache-2.0
// What the unchanged run of a kernel says of each of its control codes: which waits and which stall cycles are the only
// thing that keeps some dependence. Those are the ones that cannot be taken away unseen.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/dependence/warp_dependences.h"

namespace stc::functional {

class DependenceOracle : public dependence::DependenceObserver {
 public:
  using Wait = std::pair<std::uint32_t, std::size_t>;  ///< instruction, scoreboard
  using Step = std::pair<std::uint32_t, bool>;         ///< instruction, branched from there

  void on_issue(std::uint32_t instruction, const std::optional<dependence::Operation>& operation) override;
  void on_wait(std::uint32_t instruction, std::size_t scoreboard, const dependence::ScoreboardWaits& waits) override;
  void on_dependence(const dependence::Dependence& dependence) override;

  /// Waits without which a dependence is not waited for.
  const std::set<Wait>& needed_waits() const { return needed_waits_; }
  /// Steps of the path that lie within a dependence of fixed latency without a cycle to spare.
  const std::set<Step>& needed_cycles() const { return needed_cycles_; }

 private:
  struct Live {
    dependence::Operation operation;
    std::set<Wait> result, sources;  ///< waits that told of them
  };
  std::vector<std::uint32_t> path_;  // instructions in the order of issue
  std::map<std::uint32_t, Live> operations_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> tight_;
  std::set<Wait> needed_waits_;
  std::set<Step> needed_cycles_;
};

}  // namespace stc::functional
