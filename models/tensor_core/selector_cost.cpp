// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/selector_cost.h"

#include "models/isa/mma/fragment_layout.h"
#include "models/tensor_core/mma_timing.h"
#include "models/tensor_core/step_schedule.h"

namespace stc::tensor_core {
namespace {

int bits_to_name_one_of(int count) {
  int bits = 0;
  while ((1 << bits) < count) ++bits;
  return bits;
}

}  // namespace

SelectorCost selector_cost(const isa::MmaOp& op, const TensorCoreParams& params) {
  const sparsity::Pattern& pattern = op.pattern;
  const Tile tile = tile_of(params);
  const int weights = multipliers_for(op, params);  // stored, of one row in one step
  const int bits = isa::bits_of(op.a);
  SelectorCost cost;
  cost.activation_wires = static_cast<double>(tile.columns) * weights * bits * pattern.m / pattern.n;
  if (pattern.dense()) return cost;

  const int select_bits = bits_to_name_one_of(pattern.m);
  const double indices = static_cast<double>(tile.rows) * weights / pattern.elements_per_index;
  const double groups = indices / pattern.n;
  cost.mux_inputs = pattern.mux_inputs();
  cost.multiplexers = tile.rows * tile.columns * weights;
  cost.mux_gates = static_cast<double>(cost.multiplexers) * (cost.mux_inputs - 1) * bits;
  cost.select_wires = indices * select_bits;
  if (pattern.encoding == sparsity::IndexEncoding::joint) {
    cost.decoder_gates = groups * pattern.n * select_bits * (static_cast<double>(pattern.legal_masks()) - 1);
  }
  cost.metadata_bits_per_step = groups * pattern.index_bits_per_group();
  cost.metadata_bits_per_weight = static_cast<double>(pattern.index_bits_per_group()) / pattern.stored_elements();
  cost.metadata_registers = metadata_registers(op);
  return cost;
}

double selector_gates_relative_to_2_4(const isa::MmaOp& op, const TensorCoreParams& params) {
  isa::MmaOp reference = op;
  reference.sparse = true;
  reference.pattern = sparsity::Pattern{2, 4, 1, sparsity::IndexEncoding::per_element};
  // Of the depth that there is at 2:4. Gates depend on the multipliers of a step, whose number may be any.
  reference.k = static_cast<std::uint16_t>(512 / isa::bits_of(op.a));
  return selector_cost(op, params).gates() / selector_cost(reference, params).gates();
}

}  // namespace stc::tensor_core
