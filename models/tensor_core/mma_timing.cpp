// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/mma_timing.h"

#include <algorithm>

#include "models/core/integers.h"
#include "models/isa/mma/fragment_layout.h"

namespace stc::tensor_core {
namespace {}  // namespace

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

OperandCollection operand_collection(const isa::MmaOp& op, const TensorCoreParams& params) {
  OperandCollection all;
  const int b =
      params.scaled_activation_feed ? ceil_div(op.b_registers() * op.pattern.n, op.pattern.m) : op.b_registers();
  all.multiplicands = op.a_registers() + b;
  all.metadata = metadata_registers(op);
  all.metadata_port = params.metadata_registers_per_pass != 0;
  all.accumulators = std::max(op.c_registers(), params.accumulator_registers);
  const int beside = all.metadata_port ? ceil_div(all.metadata, params.metadata_registers_per_pass) : 0;
  const auto passes = [&](int slots) { return std::max(ceil_div(slots, params.operand_registers_per_pass), beside); };
  all.multiplicand_passes = passes(all.first_accumulator());
  all.passes = passes(all.slots());
  return all;
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

  const OperandCollection collection = operand_collection(op, params);
  t.operand_registers = collection.slots();
  t.passes = collection.passes;
  t.collect_cycles = t.passes * params.cycles_per_pass;
  t.multiplicand_cycles = collection.multiplicand_passes * params.cycles_per_pass;
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
