// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/mma_timing.h"

#include <algorithm>

namespace stc::tensor_core {
namespace {

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

int multipliers_for(const isa::MmaOp& op, const TensorCoreParams& params) {
  return std::max(1, params.multipliers_per_unit * params.multiplier_bits / isa::bits_of(op.a));
}

int metadata_registers(const isa::MmaOp& op) {
  if (!op.sparse) return 0;
  const int groups_per_row = op.k / op.pattern.group_elements();
  const int bits = op.m * groups_per_row * op.pattern.index_bits_per_group();
  return std::max(1, ceil_div(bits, 32 * 32));
}

MmaTiming mma_timing(const isa::MmaOp& op, const TensorCoreParams& params) {
  MmaTiming t;
  t.steps = ceil_div(op.m * op.n, params.dot_product_units) * ceil_div(op.stored_k(), multipliers_for(op, params));
  t.step_cycles = t.steps * params.cycles_per_step;
  t.operand_registers = op.a_registers() + op.b_registers() + std::max(op.c_registers(), params.accumulator_registers) +
                        metadata_registers(op);
  t.passes = ceil_div(t.operand_registers, params.operand_registers_per_pass);
  t.collect_cycles = t.passes * params.cycles_per_pass;
  t.feed_bound = t.collect_cycles > t.step_cycles;
  t.interval = std::max(t.step_cycles, t.collect_cycles);
  t.blocks = ceil_div(op.stored_k() * isa::bits_of(op.a), params.block_bits);
  t.latency = params.fill_cycles + t.blocks * params.block_latency;
  return t;
}

}  // namespace stc::tensor_core
