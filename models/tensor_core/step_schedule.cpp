// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/step_schedule.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/tensor_core/mma_timing.h"

namespace stc::tensor_core {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 8;

void plan_passes(const TensorCoreParams& params, StepSchedule& plan) {
  const isa::MmaOp& op = plan.op;
  const OperandCollection all = operand_collection(op, params);
  plan.first_step = all.multiplicand_passes * params.cycles_per_pass;
  plan.passes.resize(static_cast<std::size_t>(all.passes));

  const auto bring = [&](OperandKind operand, int index, int slot, int per_pass) {
    plan.passes[static_cast<std::size_t>(slot / per_pass)].push_back({operand, index});
  };
  const int per_pass = params.operand_registers_per_pass;
  for (int i = 0; i < op.a_registers(); ++i) bring(OperandKind::kA, i, i, per_pass);
  for (int i = 0; i < op.b_registers(); ++i) {
    // A scaled path brings several registers in one slot.
    const int slot = params.scaled_activation_feed ? i * op.pattern.n / op.pattern.m : i;
    bring(OperandKind::kB, i, op.a_registers() + slot, per_pass);
  }
  for (int i = 0; i < all.metadata; ++i) {
    bring(OperandKind::kMetadata, i, all.metadata_port ? i : all.multiplicands + i,
          all.metadata_port ? params.metadata_registers_per_pass : per_pass);
  }
  // Packed f16 accumulators take the collection slots of unpacked ones; those slots bring nothing.
  for (int i = 0; i < op.c_registers(); ++i) bring(OperandKind::kC, i, all.first_accumulator() + i, per_pass);
}

void plan_steps(StepSchedule& plan) {
  const isa::MmaOp& op = plan.op;
  for (int stored = 0; stored < op.stored_k(); stored += plan.multipliers) {
    int tile = 0;
    for (int row = 0; row < op.m; row += plan.tile_rows) {
      for (int column = 0; column < op.n; column += plan.tile_columns) {
        plan.steps.push_back({tile++, row, column, stored, std::min(plan.multipliers, op.stored_k() - stored)});
      }
    }
  }
}

/// Cycle, counted from the first step, in which the products of `end` stored elements of tile 0 are there.
int products_ready(const StepSchedule& plan, int end) {
  const int steps_before = (end - 1) / plan.multipliers * plan.tiles();
  return (steps_before + 1) * plan.cycles_per_step;
}

void plan_additions(const TensorCoreParams& params, StepSchedule& plan) {
  const isa::MmaOp& op = plan.op;
  const int block_elements = std::max(1, params.block_bits / isa::bits_of(op.a));
  const int blocks = (op.stored_k() + block_elements - 1) / block_elements;
  const int tiles = plan.tiles();
  const int cycles = block_cycles(op, params);
  const auto end_of = [&](int block) { return std::min((block + 1) * block_elements, op.stored_k()); };

  int first = std::max(params.fill_cycles, plan.collect_cycles());
  for (int block = 0; block < blocks; ++block) {
    first = std::max(first, plan.first_step + products_ready(plan, end_of(block)) - block * cycles);
  }
  plan.latest_first_step = first;
  for (int block = 0; block < blocks; ++block) {
    plan.latest_first_step =
        std::min(plan.latest_first_step, first + block * cycles - products_ready(plan, end_of(block)));
    for (int tile = 0; tile < tiles; ++tile) {
      const int enters = first + block * cycles + tile * plan.cycles_per_step;
      const int depth = cycles - (tiles - 1) * plan.cycles_per_step;
      plan.additions.push_back({tile, block, end_of(block), enters, enters + depth});
    }
  }
}

}  // namespace

Tile tile_of(const TensorCoreParams& params) {
  const int units = params.dot_product_units;
  if (!form_a_tile(units)) {
    throw std::invalid_argument("dot_product_units: " + std::to_string(units) +
                                "; a tensor core computed in steps needs a power of two from 1 to 128");
  }
  const int rows = units > 8 * kColumns ? kRows : std::min(units, 8);
  return {rows, units / rows};
}

StepSchedule step_schedule(const isa::MmaOp& op, const TensorCoreParams& params) {
  const Tile tile = tile_of(params);
  StepSchedule plan;
  plan.op = op;
  plan.multipliers = multipliers_for(op, params);
  plan.tile_rows = tile.rows;
  plan.tile_columns = tile.columns;
  plan.cycles_per_pass = params.cycles_per_pass;
  plan.cycles_per_step = params.cycles_per_step;
  plan_passes(params, plan);
  plan_steps(plan);
  plan_additions(params, plan);
  return plan;
}

}  // namespace stc::tensor_core
