// SPDX-License-Identifier: Apache-2.0
// The launches of a training step: which, in which order, with which kernels, and that all they name is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/launch/manifest.h"
#include "sim/training/cut_tiles.h"
#include "sim/training/training_step.h"

namespace stc::sim {
namespace {

using ::testing::ElementsAre;

constexpr int kSms = 108;

TrainingPlan plan_of(bool mlp, TrainingPlan::Sparse sparse = TrainingPlan::Sparse::kWeights) {
  TrainingPlan plan;
  plan.layers = {mlp ? TrainingLayer{256, 512, 256} : TrainingLayer{256, 0, 512}};
  plan.tokens = {256};
  plan.sparse = sparse;
  return plan;
}

const TrainingKernels& kernels() {
  static const TrainingKernels all = TrainingKernels::load(default_kernels_folder());
  return all;
}

TrainingStep step_of(const TrainingPlan& plan, bool sparse) {
  return make_step(plan, plan.layers.front(), plan.tokens.front(), sparse, kernels(), kSms);
}

std::vector<std::string> titles(const TrainingStep& step) {
  std::vector<std::string> all;
  for (const StepLaunch& launch : step.launches) all.push_back(launch.title);
  return all;
}

int sparse_gemms(const TrainingStep& step) {
  return static_cast<int>(std::count_if(step.launches.begin(), step.launches.end(),
                                        [](const StepLaunch& launch) { return launch.kernel->sparse; }));
}

TEST(TrainingStep, LinearPrunesFirstAndLeavesTheWeightGradientDense) {
  const TrainingPlan plan = plan_of(false);
  EXPECT_THAT(titles(step_of(plan, false)), ElementsAre("Y = X W^T", "dX = dY W", "dW = dY^T X"));
  const TrainingStep sparse = step_of(plan, true);
  EXPECT_THAT(titles(sparse), ElementsAre("prune W", "Y = X W^T", "dX = dY W", "dW = dY^T X"));
  EXPECT_EQ(sparse_gemms(sparse), 2);
  EXPECT_FALSE(sparse.launches.back().kernel->sparse);
  // Y^T = W X^T: m is the outputs, n the tokens.
  EXPECT_THAT(sparse.launches[1].sizes, ElementsAre(512, 256, 256));
  EXPECT_EQ(sparse.launches[1].kernel->storage.d, "nm");
}

TEST(TrainingStep, TilesOfTheWeightGradientThatDoNotFillAllSmsAreCutAlongTheTokens) {
  const auto weight_gradient = [](int tokens, TrainingLayer layer) {
    const TrainingPlan plan = plan_of(false);
    return make_step(plan, layer, tokens, true, kernels(), kSms).launches.back();
  };
  // 256 tiles, 216 CTAs at a time: the last 40 by five CTAs each.
  const StepLaunch large = weight_gradient(13008, {1024, 0, 4096});
  EXPECT_THAT(large.sizes, ElementsAre(4096, 1024, 13008, 216, 5));
  EXPECT_EQ(large.ctas(), 216U + 200U);
  EXPECT_EQ(large.kernel->epilogue, "parts");
  // Four tiles: a part has eight k-tiles at least.
  EXPECT_THAT(weight_gradient(2048, {256, 0, 256}).sizes, ElementsAre(256, 256, 2048, 0, 4));
  EXPECT_THAT(weight_gradient(64, {256, 0, 256}).sizes, ElementsAre(256, 256, 64));
}

TEST(CutTiles, FillTheSlotsWithoutManyPartsOfATile) {
  const auto cut = [](int tiles, int steps) {
    const CutTiles found = cut_tiles(tiles, steps, 108, 2);
    return std::make_pair(found.whole, found.parts);
  };
  EXPECT_EQ(cut(216, 200), std::make_pair(216, 1));  // all places are full
  EXPECT_EQ(cut(150, 200), std::make_pair(150, 1));  // two parts of each would not fit
  EXPECT_EQ(cut(108, 200), std::make_pair(108, 1));  // two half tiles on an SM in place of one
  EXPECT_EQ(cut(40, 200), std::make_pair(0, 5));     // two fifths of a tile on the fullest SM
  EXPECT_EQ(cut(270, 200), std::make_pair(216, 4));  // two quarters, as one half, but two CTAs
  EXPECT_EQ(cut(220, 200), std::make_pair(216, 8));  // one CTA adds the parts up: at most eight
  EXPECT_EQ(cut(256, 30), std::make_pair(216, 2));   // no part below eight steps
}

TEST(TrainingStep, AnMlpHasFourSparseGemmsOfSixEitherWay) {
  for (const auto what : {TrainingPlan::Sparse::kWeights, TrainingPlan::Sparse::kActivations}) {
    const TrainingPlan plan = plan_of(true, what);
    EXPECT_EQ(step_of(plan, false).launches.size(), 6U);
    EXPECT_EQ(sparse_gemms(step_of(plan, false)), 0);
    EXPECT_EQ(step_of(plan, true).launches.size(), 8U);
    EXPECT_EQ(sparse_gemms(step_of(plan, true)), 4);
  }
}

TEST(TrainingStep, SparsityChangesNoOperationCount) {
  for (const bool mlp : {false, true}) {
    const TrainingPlan plan = plan_of(mlp);
    double dense = 0, sparse = 0;
    for (const StepLaunch& launch : step_of(plan, false).launches) dense += launch.operations();
    for (const StepLaunch& launch : step_of(plan, true).launches) sparse += launch.operations();
    EXPECT_EQ(dense, (mlp ? 6 : 3) * 2.0 * 256 * 256 * 512);
    EXPECT_EQ(sparse, dense);
  }
}

TEST(TrainingStep, EveryArgumentIsABufferOfItsSize) {
  for (const bool mlp : {false, true}) {
    const TrainingStep step = step_of(plan_of(mlp), true);
    for (const StepLaunch& launch : step.launches) {
      for (const std::string& name : launch.buffers) {
        if (name.empty()) continue;  // masks that nobody needs
        EXPECT_EQ(std::count_if(step.buffers.begin(), step.buffers.end(),
                                [&](const StepBuffer& buffer) { return buffer.name == name && buffer.bytes > 0; }),
                  1)
            << launch.title << ": " << name;
      }
    }
  }
}

TEST(TrainingKernels, FewTokensTakeTheSmallTileAndManyTheLargeOne) {
  const GemmStorage forward{"mk", "nk", "mn"};
  EXPECT_EQ(kernels().gemm(false, forward, "none", 512, 512, kSms).tile_n, 128);
  EXPECT_EQ(kernels().gemm(false, forward, "none", 13008, 4096, kSms).tile_n, 256);
}

TEST(TrainingKernels, WhatTheLibraryLacksIsNamed) {
  try {
    kernels().gemm(true, {"km", "kn", "mn"}, "none", 256, 256, kSms);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has no 2:4 kernel with A km, B kn, D mn"));
  }
}

}  // namespace
}  // namespace stc::sim
