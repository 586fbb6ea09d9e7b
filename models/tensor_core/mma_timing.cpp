// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/mma_timing.h"

#include <algorithm>

#include "models/isa/mma/fragment_layout.h"

namespace stc::tensor_core {
namespace {

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

int multipliers_for(const isa::MmaOp& op, const TensorCoreParams& params) {
  return std::max(1, params.multipliers_per_unit * params.multiplier_bits / isa::bits_of(op.a));
}

int metadata_registers(const isa::MmaOp& op) {
  if (!op.sparse) return 0;
  if (op.pattern.encoding == sparsity::IndexEncoding::per_element) return isa::metadata_layout(op).registers();
  const int groups_per_row = op.k / op.pattern.group_elements();
  const int bits = op.m * groups_per_row * op.pattern.index_bits_per_group();
  return std::max(1, ceil_div(bits, 32 * 32));
}

int activation_slots(const isa::MmaOp& op, const TensorCoreParams& params) {
  if (!params.scaled_activation_feed) return op.b_registers();
  return ceil_div(op.b_registers() * op.pattern.n, op.pattern.m);
}

int collection_passes(int slots, const isa::MmaOp& op, const TensorCoreParams& params) {
  const int metadata = metadata_registers(op);
  if (params.metadata_registers_per_pass == 0) return ceil_div(slots + metadata, params.operand_registers_per_pass);
  return std::max(ceil_div(slots, params.operand_registers_per_pass),
                  ceil_div(metadata, params.metadata_registers_per_pass));
}

int block_cycles(const isa::MmaOp& op, const TensorCoreParams& params) {
  constexpr int kOutputs = 16 * 8;
  const int whole = ceil_div(kOutputs, params.dot_product_units) * params.cycles_per_step;
  const int tiles = ceil_div(op.m * op.n, params.dot_product_units) * params.cycles_per_step;
  return std::max(params.block_latency, whole) - (whole - tiles);
}

MmaTiming mma_timing(const isa::MmaOp& op, const TensorCoreParams& params) {
  MmaTiming t;
  t.sparse = op.sparse;
  const int multipliers = multipliers_for(op, params);
  t.tiles = ceil_div(op.m * op.n, params.dot_product_units);
  t.steps = t.tiles * ceil_div(op.stored_k(), multipliers);
  t.step_cycles = t.steps * params.cycles_per_step;

  const int multiplicands = op.a_registers() + activation_slots(op, params);
  const int accumulators = std::max(op.c_registers(), params.accumulator_registers);
  const bool own_port = params.metadata_registers_per_pass != 0;
  t.operand_registers = multiplicands + accumulators + (own_port ? 0 : metadata_registers(op));
  t.passes = collection_passes(multiplicands + accumulators, op, params);
  t.collect_cycles = t.passes * params.cycles_per_pass;
  t.multiplicand_cycles = collection_passes(multiplicands, op, params) * params.cycles_per_pass;
  t.feed_bound = t.collect_cycles > t.step_cycles;
  t.interval = std::max(t.step_cycles, t.collect_cycles);

  const int block_elements = std::max(1, params.block_bits / isa::bits_of(op.a));
  const int tile_cycles = t.tiles * params.cycles_per_step;
  t.blocks = ceil_div(op.stored_k(), block_elements);
  t.block_cycles = block_cycles(op, params);
  t.first_addition = std::max(params.fill_cycles, t.collect_cycles);
  for (int block = 0; block < t.blocks; ++block) {
    // The first tile's products of this block are there when its last slice of k has been multiplied.
    const int last = std::min((block + 1) * block_elements, op.stored_k()) - 1;
    const int multiplied = t.multiplicand_cycles + last / multipliers * tile_cycles + params.cycles_per_step;
    t.first_addition = std::max(t.first_addition, multiplied - block * t.block_cycles);
  }
  t.latency = t.first_addition + t.blocks * t.block_cycles;
  return t;
}

}  // namespace stc::tensor_core
