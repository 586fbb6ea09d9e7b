// SPDX-License-Identifier: Apache-2.0
// Sums over layers and the sentence on why a network does not become twice as fast, on made-up costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/network/network_describe.h"

namespace stc::sim {
namespace {

using Weights = NetworkOutcome::Weights;

NetworkCost cost(double us, bool sparse) {
  NetworkCost one;
  one.sparse = sparse;
  one.time_us = one.limited_us = us;
  one.cycles = static_cast<std::uint64_t>(us * 1000);
  one.joules = us * 1e-3;
  return one;
}

/// A product of 60 us, 40 with 2:4; one that 2:4 makes slower, 10 to 12, twice; attention of 20.
struct MadeUpNetwork {
  NetworkPlan plan;
  NetworkOutcome outcome;
  MadeUpNetwork() {
    const auto add = [&](const char* kind, int count, bool prunable, double dense, double sparse) {
      LayerWork work;
      work.kind = kind;
      work.count = count;
      work.prunable = prunable;
      if (prunable) work.product = ConvolutionLayer{};
      if (prunable)
        work.product->n = work.product->h = work.product->w = work.product->r = work.product->s = work.product->stride =
            1,
        work.product->c = 64, work.product->k = 128;
      plan.layers.push_back(work);
      LayerCost costs;
      costs.dense = cost(dense, false);
      if (prunable) costs.sparse = cost(sparse, true);
      outcome.layers.push_back(costs);
    };
    add("linear", 1, true, 60, 40);
    add("linear", 2, true, 10, 12);
    add("attention", 1, false, 20, 0);
  }
};

TEST(NetworkOutcome, TotalsCountEachLayerAsOftenAsTheNetworkHasIt) {
  const MadeUpNetwork e;
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kDense).time_us, 100);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kSparse).time_us, 84);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kFaster).time_us, 80);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kDense).prunable_us, 80);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kDense).joules, 0.1);
  EXPECT_EQ(e.outcome.total(e.plan, Weights::kDense).launches, 4);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kDense).weight_bytes, 3 * 64 * 128 * 2);
  EXPECT_DOUBLE_EQ(e.outcome.total(e.plan, Weights::kFaster).weight_bytes, 64 * 128 * (1.125 + 2 * 2));
}

TEST(NetworkOutcome, WhatIsFasterIsAskedWithinThePowerLimit) {
  MadeUpNetwork e;
  LayerCost& layer = e.outcome.layers[1];  // 10 us dense, 12 with 2:4
  EXPECT_FALSE(layer.faster().sparse);
  layer.dense.limited_us = 14;
  EXPECT_TRUE(layer.faster().sparse);
  layer.sparse->limited_us = 15;
  EXPECT_FALSE(layer.faster().sparse);
}

TEST(NetworkOutcome, SaysWhyNotTwice) {
  const MadeUpNetwork e;
  EXPECT_DOUBLE_EQ(e.outcome.speedup(e.plan), 1.25);
  EXPECT_DOUBLE_EQ(e.outcome.ideal_speedup(e.plan), 100.0 / 60);
  EXPECT_EQ(
      why_not_twice(e.plan, e.outcome),
      "80 % of the dense time is in layers whose weights may be 2:4. Twice as fast they would make 1.67x; they become "
      "1.33x as fast, which makes 1.25x.");
  EXPECT_EQ(untouched(e.plan, e.outcome), "attention 20 %");
}

TEST(NetworkOutcome, SaysWhatItTakesWithinThePowerLimit) {
  MadeUpNetwork e;
  EXPECT_THAT(why_not_twice(e.plan, e.outcome), testing::Not(testing::HasSubstr("power limit")));
  e.outcome.layers[0].dense.limited_us = 75;
  e.outcome.layers[0].sparse->limited_us = 50;
  EXPECT_THAT(why_not_twice(e.plan, e.outcome),
              testing::EndsWith("Within the power limit, which joules and watts are for, it takes 115.0 us dense, 90.0 "
                                "us with 2:4 (1.28x)."));
}

}  // namespace
}  // namespace stc::sim
