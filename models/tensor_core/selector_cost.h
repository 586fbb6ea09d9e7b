// SPDX-License-Identifier: Apache-2.0
// Models:   what the hardware that steers activations to weights needs for a pattern, by counting. No areas.
//           selector_area.h has areas, for patterns that were synthesised.
// Evidence: the structure of operand_selector.h and metadata_unit.h; 2:4 has 4:1 multiplexers (NVIDIA A100 whitepaper).
// Abstracts: buffers, wire length, layout, timing closure. Compare ratios, best to 2:4, not absolute numbers.
// Timing:   none.
//
// The unit of gates is a two-input multiplexer of one bit; an M-input multiplexer is a tree of M - 1 of them. For one
// tensor core and one step of its array, which multiplies R rows of A with C columns of B, P stored weights each
// (R x C dot-product units of P multipliers, elements of b bits):
//
//   multiplexers     R x C x P                 one in front of every multiplier
//   mux_gates        multiplexers x (M - 1) x b
//   indices          R x P / elements per index    one index steers the multiplexers of all columns of its row
//   select_wires     indices x ceil(log2 M)
//   activation_wires C x P x M / N x b         all activations that the multiplexers may choose from
//   decoder_gates    joint encoding only: groups in a step x N x ceil(log2 M) x (C(M, N) - 1): each output bit is a
//                    multiplexer over the table of legal masks
#pragma once

#include "models/isa/mma/mma_op.h"
#include "models/tensor_core/tensor_core_params.h"

namespace stc::tensor_core {

struct SelectorCost {
  int mux_inputs = 1;                   ///< of one multiplexer
  int multiplexers = 0;                 ///< of a tensor core
  double mux_gates = 0;                 ///< two-input multiplexers of one bit
  double decoder_gates = 0;             ///< the same unit
  double select_wires = 0;              ///< bits that steer in a step
  double activation_wires = 0;          ///< bits to choose from in a step
  double metadata_bits_per_step = 0;    ///< index bits that a step uses up, without padding
  double metadata_bits_per_weight = 0;  ///< index bits of one stored weight, without padding
  int metadata_registers = 0;           ///< per lane and instruction, as the register file stores them
  double gates() const { return mux_gates + decoder_gates; }
};

/// A dense instruction has no selector: no gates and no metadata, but activation wires.
SelectorCost selector_cost(const isa::MmaOp& op, const TensorCoreParams& params);

/// gates() of `op` over gates() of 2:4 with one index per element, same format, same tensor core.
double selector_gates_relative_to_2_4(const isa::MmaOp& op, const TensorCoreParams& params);

}  // namespace stc::tensor_core
