// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/stall_shares.h"

#include <gtest/gtest.h>

namespace stc::sim {
namespace {

MetricValues measured_of(const std::string& text) {
  const CsvTable table("m.csv", text);
  return measured_stall_shares(table.rows().front(), table);
}

TEST(StallShares, OfSiliconAreOfAllStates) {
  // tex_throttle has no counterpart here, and counts all the same.
  const MetricValues shares = measured_of(
      "kernel,stall_selected,stall_wait,stall_branch_resolving,stall_long_scoreboard,stall_tex_throttle\n"
      "k,1,2,1,4,2\n");
  EXPECT_DOUBLE_EQ(shares.at("issued"), 0.1);
  EXPECT_DOUBLE_EQ(shares.at("fixed latency"), 0.3);
  EXPECT_DOUBLE_EQ(shares.at("global memory"), 0.4);
  EXPECT_DOUBLE_EQ(shares.at("barrier"), 0.0);
}

TEST(StallShares, ARowWithoutStatesHasNone) {
  EXPECT_TRUE(measured_of("kernel,stall_selected\nk,\n").empty());
  EXPECT_TRUE(measured_of("kernel,cycles\nk,5\n").empty());
}

// The profiler has no warps before a CTA's first instruction.
TEST(StallShares, OfTheSimulatorLeaveOutTheLaunchOfCtas) {
  const MetricValues shares =
      simulated_stall_shares({{"issued", 10}, {"async_copy", 20}, {"global_memory", 10}, {"dispatch", 1000}});
  EXPECT_DOUBLE_EQ(shares.at("issued"), 0.25);
  EXPECT_DOUBLE_EQ(shares.at("global memory"), 0.75);
  EXPECT_TRUE(simulated_stall_shares({{"dispatch", 1000}}).empty());
}

TEST(StallShares, DifferencesDoNotCancel) {
  StallSums sums;
  const auto both = [](double share) {
    MetricValues values;
    for (const StallPair& pair : stall_pairs()) values[pair.title] = 0;
    values["barrier"] = share;
    return values;
  };
  sums.add(both(0.2), both(0.3));
  sums.add(both(0.4), both(0.3));
  sums.add({}, both(0.9));
  const StallSummary summary = sums.summary("all GEMMs");
  EXPECT_EQ(summary.points, 2u);
  for (const StallComparison& one : summary.reasons) {
    const bool barrier = std::string(one.pair->title) == "barrier";
    EXPECT_NEAR(one.difference, barrier ? 0.1 : 0.0, 1e-12) << one.pair->title;
    EXPECT_NEAR(one.measured, barrier ? 0.3 : 0.0, 1e-12);
    EXPECT_NEAR(one.simulated, barrier ? 0.3 : 0.0, 1e-12);
  }
  EXPECT_NEAR(summary.difference(), 0.1 / static_cast<double>(stall_pairs().size()), 1e-12);
}

}  // namespace
}  // namespace stc::sim
