// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/selector_area.h"

#include <gtest/gtest.h>

#include "models/tensor_core/selector_cost.h"
#include "traces/gemm/gemm_builder.h"
#include "validation/gpus.h"

namespace stc::tensor_core {
namespace {

isa::MmaOp op(const char* pattern, isa::NumberFormat type = isa::NumberFormat::f16) {
  return gemm::matrix_instruction(sparsity::Pattern::parse(pattern), type);
}

TEST(SelectorArea, GrowsWithMultiplexerInputsAndIsSmallFor2To4) {
  double before = 0;
  for (const char* pattern : {"1:2", "2:4", "4:8", "8:16"}) {
    const auto area = selector_area(op(pattern));
    ASSERT_TRUE(area) << pattern;
    EXPECT_GT(area->area, before) << pattern;
    EXPECT_EQ(area->relative(), area->area / area->array);
    before = area->area;
  }
  EXPECT_STREQ(selector_area_library(), "osu018_stdcells");
  EXPECT_NEAR(selector_area(op("2:4"))->relative(), 0.06, 0.005);
}

TEST(SelectorArea, TakesALargerShareBehindIntegers) {
  for (const char* pattern : {"1:2", "2:4", "2:8", "8:16"}) {
    const auto integers = selector_area(op(pattern, isa::NumberFormat::s8)), floats = selector_area(op(pattern));
    ASSERT_TRUE(integers) << pattern;
    EXPECT_NE(integers->area, floats->area) << pattern;
    EXPECT_LT(integers->array, floats->array) << pattern;
    EXPECT_GT(integers->relative(), floats->relative()) << pattern;
  }
}

TEST(SelectorArea, CountedGatesComeWithinAThirdOfIt) {
  const double of_2_4 = selector_area(op("2:4"))->area;
  for (const char* pattern : {"1:2", "4:8", "1:4", "2:8", "8:16", "4:16", "2:6"}) {
    const double counted = selector_gates_relative_to_2_4(op(pattern), validation::a100().sm.tensor_core);
    EXPECT_NEAR(selector_area(op(pattern))->area / of_2_4 / counted, 1, 0.34) << pattern;
  }
}

TEST(SelectorArea, IsNotKnownForWhatWasNotSynthesised) {
  isa::MmaOp bytes = op("2:4", isa::NumberFormat::s8);
  bytes.a = bytes.b = isa::NumberFormat::e4m3;
  EXPECT_FALSE(selector_area(bytes));
  EXPECT_FALSE(selector_area(op("2:4", isa::NumberFormat::tf32)));
  EXPECT_FALSE(selector_area(op("2:4j")));
  EXPECT_FALSE(selector_area(op("5:16")));
  EXPECT_FALSE(selector_area(op("dense")));
}

}  // namespace
}  // namespace stc::tensor_core
