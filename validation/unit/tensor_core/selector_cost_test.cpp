// SPDX-License-Identifier: Apache-2.0
// Counts of the selection network against figures worked out by hand for the A100's unit: 32 dot-product units (8 rows
// by 4 columns) of 8 multipliers of 16 bits.
#include "models/tensor_core/selector_cost.h"
#include "validation/gpus.h"

#include <gtest/gtest.h>

namespace stc::tensor_core {
namespace {

const TensorCoreParams& a100() { return validation::a100().sm.tensor_core; }

isa::MmaOp op_of(const char* pattern, int stored = 16) {
  isa::MmaOp result;
  result.pattern = sparsity::Pattern::parse(pattern);
  result.sparse = !result.pattern.dense();
  result.k = static_cast<std::uint16_t>(stored * result.pattern.m / result.pattern.n);
  return result;
}

TEST(SelectorCost, OfTwoToFour) {
  const SelectorCost cost = selector_cost(op_of("2:4"), a100());
  EXPECT_EQ(cost.mux_inputs, 4);
  EXPECT_EQ(cost.multiplexers, 256);  // one in front of every multiplier
  EXPECT_EQ(cost.mux_gates, 256 * 3 * 16);
  EXPECT_EQ(cost.select_wires, 8 * 8 * 2);        // 64 weights a step, 2 bits each
  EXPECT_EQ(cost.activation_wires, 4 * 16 * 16);  // 4 columns, 16 logical k, 16 bits
  EXPECT_EQ(cost.metadata_bits_per_step, 8 * 8 * 2);
  EXPECT_EQ(cost.metadata_bits_per_weight, 2);  // 12.5 % of 16 bits
  EXPECT_EQ(cost.metadata_registers, 1);
  EXPECT_EQ(selector_gates_relative_to_2_4(op_of("2:4"), a100()), 1);
}

TEST(SelectorCost, GrowsWithTheGroupNotWithWhatIsKept) {
  EXPECT_DOUBLE_EQ(selector_gates_relative_to_2_4(op_of("1:2"), a100()), 1.0 / 3);
  EXPECT_DOUBLE_EQ(selector_gates_relative_to_2_4(op_of("4:8"), a100()), 7.0 / 3);
  EXPECT_DOUBLE_EQ(selector_gates_relative_to_2_4(op_of("1:8"), a100()), 7.0 / 3);
  EXPECT_DOUBLE_EQ(selector_gates_relative_to_2_4(op_of("2:16"), a100()), 15.0 / 3);
  TensorCoreParams odd = a100();
  odd.multipliers_per_unit = 3;  // no depth of an instruction
  EXPECT_DOUBLE_EQ(selector_gates_relative_to_2_4(op_of("2:16"), odd), 15.0 / 3);
}

TEST(SelectorCost, OfADenseUnitIsWiresOnly) {
  const SelectorCost cost = selector_cost(op_of("dense"), a100());
  EXPECT_EQ(cost.gates(), 0);
  EXPECT_EQ(cost.metadata_bits_per_step, 0);
  EXPECT_EQ(cost.activation_wires, 4 * 8 * 16);
}

TEST(SelectorCost, PairsShareAnIndexButNotAMultiplexer) {
  const SelectorCost pairs = selector_cost(op_of("4:8/2"), a100()), single = selector_cost(op_of("2:4"), a100());
  EXPECT_EQ(pairs.mux_gates, single.mux_gates);
  EXPECT_EQ(pairs.select_wires, single.select_wires / 2);
  EXPECT_EQ(pairs.metadata_bits_per_weight, 1);
}

TEST(SelectorCost, JointIndicesPayADecoder) {
  const SelectorCost joint = selector_cost(op_of("2:4j"), a100());
  EXPECT_EQ(joint.metadata_bits_per_weight, 1.5);  // six masks need 3 bits for two weights
  EXPECT_EQ(joint.decoder_gates, 32 * 4 * 5);      // 32 groups a step, 4 output bits, tables of 6
  EXPECT_EQ(joint.mux_gates, selector_cost(op_of("2:4"), a100()).mux_gates);
}

}  // namespace
}  // namespace stc::tensor_core
