// SPDX-License-Identifier: Apache-2.0
// Models:   the dot-product units: multipliers, the products that wait for their block to be complete, and one adder for
//           each block.
// Evidence: 256 multiply-accumulates per cycle as 8 x 4 outputs of 8 products (NVIDIA A100 whitepaper). Block lengths
//           come from published and measured outputs; models/arith/fused_dot.h does the arithmetic.
// Abstracts: a product is kept as its two operands, which is exact; alignment and addition happen at once.
// Timing:   a step multiplies one slice of k for one tile; an addition takes the products of one block of k. Successive
//           blocks have successive adders, so instructions one interval apart never meet in one.
#pragma once

#include <array>
#include <systemc>
#include <vector>

#include "models/arith/numerics.h"
#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class DotProductArray : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(DotProductArray);
  /// `numerics` is to outlive it.
  DotProductArray(sc_core::sc_module_name name, const arith::Numerics& numerics);

  sc_core::sc_in<MultiplierInputs> inputs;
  sc_core::sc_in<Additions> accumulators;  ///< additions that begin, with the accumulators of their tiles
  sc_core::sc_out<Additions> sums;         ///< the same additions with their results

  /// Multiplier inputs, products and dot products of every unit, as numbers.
  void trace_units(sc_core::sc_trace_file* file, const StepSchedule& schedule);

 private:
  /// Products of one instruction, each as its two operands, by output and stored k.
  struct Products {
    std::uint64_t sequence = ~std::uint64_t{0};
    std::vector<std::uint32_t> weight, activation;  ///< [16][8][stored k]
    std::vector<std::uint8_t> present;
    std::vector<int> added;  ///< per tile: stored elements that are in the accumulators
  };
  /// Numbers for the waveform, by unit and multiplier.
  struct Shown {
    int count = 0;
    std::vector<double> weight, activation, product, dot_product;
  };

  void multiply();
  void add();
  void add_tile(const Addition& addition, const std::uint32_t* c, std::uint32_t* d);
  /// Adds `count` products from stored element `first` on to the outputs of `row` of the tile.
  void add_row(const Addition& addition, int row, int first, int count, std::uint32_t* values);
  int block_length(const isa::MmaOp& op) const;
  Products& products_of(const Operation& of, const OutputTile& tile);
  void show(const MultiplierInputs& in);

  const arith::Numerics& numerics_;
  std::array<Products, kJobs> products_;
  Shown shown_;
};

}  // namespace stc::tensor_core
