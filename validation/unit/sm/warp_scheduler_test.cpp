// SPDX-License-Identifier: Apache-2.0
// Which of the warps that can issue does.
#include "models/sm/warp_scheduler.h"

#include <gtest/gtest.h>

#include <array>

namespace stc::sm {
namespace {

class Warps : public testing::Test {
 protected:
  Warps() {
    for (std::size_t i = 0; i < ctas_.size(); ++i) ctas_[i].linear_index = i;
    for (WarpContext& warp : warps_) warp.state.cta = &ctas_[0];
  }
  void issue(int warp, Cycle now, bool multiplies = false, bool yields = false) {
    warps_[static_cast<std::size_t>(warp)].issued_at = now;
    scheduler_.issued(of(warp), multiplies, yields);
  }
  struct Ready {
    int warp;
    bool multiplies = false;
    bool has_waited = true;
    bool core_was_busy = false;
    bool to_memory = false;
  };
  /// Who issues of these.
  int chosen(std::initializer_list<Ready> ready) {
    WarpScheduler::Choice choice(scheduler_);
    for (const Ready& one : ready) {
      if (scheduler_.stays_with(of(one.warp), one.multiplies, one.has_waited)) return one.warp;
      choice.offer(of(one.warp), {one.multiplies, one.to_memory, one.has_waited, one.core_was_busy});
    }
    const WarpContext* const warp = choice.chosen();
    return warp == nullptr ? -1 : static_cast<int>(warp - warps_.data());
  }
  WarpContext& of(int warp) { return warps_[static_cast<std::size_t>(warp)]; }

  std::array<isa::CtaState, 2> ctas_;
  std::array<WarpContext, 3> warps_{WarpContext(4, 0, 0), WarpContext(4, 1, 0), WarpContext(4, 2, 0)};
  WarpScheduler scheduler_;
};

TEST_F(Warps, NobodyIssuesWhereNobodyCan) { EXPECT_EQ(chosen({}), -1); }

TEST_F(Warps, WhoIssuedLastGoesOnUnlessItYields) {
  issue(0, 1);
  issue(1, 2);
  EXPECT_EQ(chosen({{0}, {1, false, false}}), 1);
  issue(1, 3, false, true);
  EXPECT_EQ(chosen({{0}, {1, false, false}}), 0);
}

TEST_F(Warps, WhoHasHadToWaitForAPipeLosesItsTurn) {
  issue(0, 1);
  issue(1, 2);
  EXPECT_EQ(chosen({{0}, {1}}), 0) << "the least recently issued";
}

TEST_F(Warps, WhoMultipliesKeepsTheTensorCoreThoughOthersIssueMeanwhile) {
  issue(0, 1, true);
  issue(1, 4);
  EXPECT_EQ(chosen({{1, true}, {0, true}}), 0);
  EXPECT_EQ(chosen({{1, true, false}, {2, true}, {0, true}}), 0);
  EXPECT_EQ(chosen({{1, true}, {2, true}}), 1) << "it cannot go on";
  EXPECT_EQ(chosen({{2}, {0, true}}), 2) << "other pipes are free to others";
}

TEST_F(Warps, AnOlderCtaTakesTheTensorCoreAYoungerDoesNot) {
  of(1).state.cta = &ctas_[1];
  issue(1, 1, true);
  issue(0, 2, false, true);  // issued last, but yields
  issue(2, 3);
  EXPECT_EQ(chosen({{0, true, false}, {1, true}}), 0);
  issue(0, 9, true);
  issue(2, 10);
  EXPECT_EQ(chosen({{0, true}, {1, true}}), 0);
}

TEST_F(Warps, OfTwoCtasThatAllWaitForTheTensorCoreEachHasItsTurn) {
  of(1).state.cta = &ctas_[1];
  issue(1, 1, true);
  issue(0, 2, true);
  EXPECT_EQ(chosen({{0, true, true, true}, {1, true, true, true}}), 1);
  EXPECT_EQ(chosen({{0, true, true, true}, {2, true, true, true}}), 0) << "of one CTA its user keeps it all the same";
  EXPECT_EQ(chosen({{0, true}, {1, true, true, true}}), 0) << "what comes at its pace goes on";
}

TEST_F(Warps, OfCtasThatAllWaitEveryOtherTurnIsOfAnother) {
  of(1).state.cta = &ctas_[1];
  issue(1, 1);
  issue(0, 2);
  EXPECT_EQ(chosen({{0}, {1}}), 1);
  issue(1, 3);
  EXPECT_EQ(chosen({{0}, {1}}), 0);
}

TEST_F(Warps, OfCtasThatWaitForTheQueueOfMemoryInstructionsTheOldestGoesFirst) {
  const auto to_memory = [](int warp) { return Ready{warp, false, true, false, true}; };
  of(2).state.cta = &ctas_[1];
  issue(2, 1);
  issue(0, 2);
  issue(1, 3);
  EXPECT_EQ(chosen({to_memory(2), to_memory(0), to_memory(1)}), 0) << "of its CTA the least recently issued";
  issue(0, 4);
  EXPECT_EQ(chosen({to_memory(2), to_memory(0), to_memory(1)}), 1);
  EXPECT_EQ(chosen({to_memory(2), {0}}), 0) << "who waits for the queue does not get another's turn";
  EXPECT_EQ(chosen({{2}, to_memory(0)}), 0);
}

}  // namespace
}  // namespace stc::sm
