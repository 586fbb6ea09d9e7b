// SPDX-License-Identifier: Apache-2.0
// Models:   the accumulators: C of every output, then the result of each block of k, then D.
// Evidence: a block's rounded result is the next block's C (models/arith/fused_dot.h).
// Abstracts: which registers hold them; the write port of the register file.
// Timing:   a block's sum can be used when it leaves the adder; D is complete when the last tile's last block has left.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <systemc>
#include <vector>

#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class Accumulator : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Accumulator);
  explicit Accumulator(sc_core::sc_module_name name);

  sc_core::sc_in<std::uint64_t> cycle;
  sc_core::sc_in<AccumulatorLoad> load;
  sc_core::sc_in<Additions> additions;      ///< that begin in this cycle
  sc_core::sc_out<Additions> accumulators;  ///< the same with the accumulators of their tiles
  sc_core::sc_in<Additions> sums;

  /// Called in the last cycle of an instruction with D [16][8]; D may be used from the next cycle on.
  std::function<void(const Operation&, const std::vector<std::uint32_t>&)> on_complete;

  /// Accumulators as bits and as numbers.
  void trace_values(sc_core::sc_trace_file* file, const isa::MmaOp& op);

 private:
  struct Values {
    std::uint64_t sequence = ~std::uint64_t{0};
    std::vector<std::uint32_t> d;  ///< [16][8]
  };
  struct Leaving {
    Cycle last_cycle = 0;  ///< in the adder
    Addition addition;
    std::vector<std::uint32_t> values;
  };

  void load_c();
  void present();
  void take_sums();
  void commit();
  void show(const isa::MmaOp& op, const std::vector<std::uint32_t>& values);

  std::array<Values, kJobs> values_;
  std::deque<Leaving> leaving_;
  std::vector<std::uint32_t> shown_bits_;  ///< empty unless traced
  std::vector<double> shown_numbers_;
};

}  // namespace stc::tensor_core
