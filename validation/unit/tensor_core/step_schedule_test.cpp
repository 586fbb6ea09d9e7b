// SPDX-License-Identifier: Apache-2.0
// A schedule spells out, cycle by cycle, what mma_timing says in formulas, and does all of the work exactly once.
#include "models/tensor_core/step_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/tensor_core/mma_timing.h"
#include "validation/unit/tensor_core/operations.h"

namespace stc::tensor_core {
namespace {

void expect_timing(const isa::MmaOp& op, const TensorCoreParams& params) {
  const StepSchedule plan = step_schedule(op, params);
  const MmaTiming timing = mma_timing(op, params);
  EXPECT_EQ(static_cast<int>(plan.passes.size()), timing.passes);
  EXPECT_EQ(static_cast<int>(plan.steps.size()), timing.steps);
  EXPECT_EQ(plan.first_step, timing.multiplicand_cycles);
  EXPECT_EQ(std::max(plan.collect_cycles(), plan.step_cycles()), timing.interval);
  EXPECT_EQ(plan.additions.front().enters, timing.first_addition);
  EXPECT_EQ(plan.complete(), timing.latency);
}

void expect_work_done_once(const isa::MmaOp& op, const TensorCoreParams& params) {
  const StepSchedule plan = step_schedule(op, params);
  std::set<std::pair<OperandKind, int>> registers;
  for (const auto& pass : plan.passes) {
    EXPECT_LE(static_cast<int>(pass.size()), params.operand_registers_per_pass);
    for (const OperandRegister& reg : pass) EXPECT_TRUE(registers.insert({reg.operand, reg.index}).second);
  }
  EXPECT_EQ(static_cast<int>(registers.size()),
            op.a_registers() + op.b_registers() + op.c_registers() + metadata_registers(op));

  std::set<std::tuple<int, int, int>> products;
  for (const TileStep& step : plan.steps) {
    EXPECT_LE(plan.tile_rows * plan.tile_columns * step.count, params.dot_product_units * plan.multipliers);
    for (int row = step.row; row < step.row + plan.tile_rows; ++row) {
      for (int column = step.column; column < step.column + plan.tile_columns; ++column) {
        for (int p = step.stored; p < step.stored + step.count; ++p) {
          EXPECT_TRUE(products.insert({row, column, p}).second);
        }
      }
    }
  }
  EXPECT_EQ(static_cast<int>(products.size()), op.stored_macs());
}

/// An addition finds its products and C, and the block before it has left the adder.
void expect_order(const isa::MmaOp& op, const TensorCoreParams& params) {
  const StepSchedule plan = step_schedule(op, params);
  EXPECT_LE(plan.first_step, plan.latest_first_step);
  std::map<int, int> left;
  for (const TileAddition& addition : plan.additions) {
    EXPECT_GE(addition.enters, plan.collect_cycles());
    EXPECT_GT(addition.leaves, addition.enters);
    EXPECT_GE(addition.enters, left[addition.tile]);
    left[addition.tile] = addition.leaves;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const TileStep& step = plan.steps[i];
      if (step.tile != addition.tile || step.stored >= addition.end) continue;
      const int multiplied = plan.latest_first_step + (static_cast<int>(i) + 1) * plan.cycles_per_step;
      EXPECT_LE(multiplied, addition.enters);
    }
  }
  EXPECT_EQ(static_cast<int>(left.size()), plan.tiles());
}

void expect_all(const isa::MmaOp& op, const TensorCoreParams& params) {
  SCOPED_TRACE(op.name() + " " + op.pattern.name());
  expect_timing(op, params);
  expect_work_done_once(op, params);
  expect_order(op, params);
}

TEST(StepSchedule, AgreesWithTheFormulasOnA100) {
  const TestGpu gpu = test_gpu("a100");
  ASSERT_GT(gpu.ops.size(), 60u);
  for (const isa::MmaOp& op : gpu.ops) expect_all(op, gpu.params);
}

TEST(StepSchedule, AgreesWithTheFormulasOnH200) {
  const TestGpu gpu = test_gpu("h200");
  ASSERT_GT(gpu.ops.size(), 30u);
  for (const isa::MmaOp& op : gpu.ops) expect_all(op, gpu.params);
}

TEST(StepSchedule, AgreesWithTheFormulasForOtherPatternsAndUnitCounts) {
  const TestGpu gpu = test_gpu("a100");
  for (const int units : {1, 4, 8, 16, 32, 64, 128}) {
    for (const int multipliers : {4, 8, 16}) {
      for (const int fill : {0, 8, 13}) {
        for (const int cycles_per_step : {1, 2}) {
          TensorCoreParams params = gpu.params;
          params.dot_product_units = units;
          params.multipliers_per_unit = multipliers;
          params.fill_cycles = fill;
          params.cycles_per_step = cycles_per_step;
          SCOPED_TRACE(units);
          for (const isa::MmaOp& op : other_patterns()) expect_all(op, params);
          expect_all(isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"), params);
          expect_all(isa::parse_mma_name("mma.m16n8k8.f32.tf32.tf32.f32"), params);
        }
      }
    }
  }
}

TEST(StepSchedule, A100StepIsEightByEightTimesEightByFour) {
  const TestGpu gpu = test_gpu("a100");
  const StepSchedule plan = step_schedule(isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"), gpu.params);
  EXPECT_EQ(plan.tile_rows, 8);
  EXPECT_EQ(plan.tile_columns, 4);
  EXPECT_EQ(plan.multipliers, 8);
  ASSERT_EQ(plan.steps.size(), 8u);
  EXPECT_EQ(plan.steps[0].count, 8);
  EXPECT_EQ(plan.steps[3].row, 8);
  EXPECT_EQ(plan.steps[3].column, 4);
  EXPECT_EQ(plan.steps[4].stored, 8);
  EXPECT_EQ(plan.steps[4].row, 0);
}

TEST(MmaTiming, BinaryInstructionsAsAnH200TakesThem) {
  // Measured there: one chain 14.0, 16.9 (a NOP between them) and 24.0 cycles; two warps to a sub-core 4.0, 4.0, 6.2.
  const TestGpu gpu = test_gpu("h200");
  const std::vector<isa::MmaOp> ops = binary_operations();
  const int latency[] = {14, 16, 24}, interval[] = {4, 4, 6};
  for (std::size_t i = 0; i < ops.size(); ++i) {
    SCOPED_TRACE(ops[i].name());
    const MmaTiming timing = mma_timing(ops[i], gpu.params);
    EXPECT_EQ(timing.latency, latency[i % 3]);
    EXPECT_EQ(timing.interval, interval[i % 3]);
  }
}

TEST(MmaTiming, BinaryInstructionsOfTheA100) {
  // NVIDIA's CUTLASS profiler, machine_model.cu: BMMA.168256 issues every 8 cycles.
  const TestGpu gpu = test_gpu("a100");
  const std::vector<isa::MmaOp> ops = binary_operations();
  EXPECT_EQ(mma_timing(ops[2], gpu.params).interval, 8);
  EXPECT_EQ(mma_timing(ops[0], gpu.params).latency, 14);  // stall counts of ptxas
}

TEST(StepSchedule, RefusesUnitsThatFormNoTile) {
  TensorCoreParams params = test_gpu("a100").params;
  for (const int units : {0, 24, 256}) {
    params.dot_product_units = units;
    EXPECT_THROW(step_schedule(isa::MmaOp{}, params), std::invalid_argument) << units;
  }
}

}  // namespace
}  // namespace stc::tensor_core
