// SPDX-License-Identifier: Apache-2.0
// Models:   the buffers between register file and multipliers (operand collectors): A, B, C and metadata of the
//           instructions that are being collected and multiplied.
// Evidence: passes explain the measured issue intervals (Sun et al., TPDS 2023; see configs/gpus/*.yaml).
// Abstracts: register banks and their conflicts; registers are read at issue and arrive with their pass.
// Timing:   each pass brings operand_registers_per_pass registers in cycles_per_pass cycles; a step shows its slices of
//           A and B in the same cycle.
#pragma once

#include <array>
#include <systemc>
#include <vector>

#include "models/isa/products/execute_mma.h"
#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class OperandBuffers : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OperandBuffers);
  explicit OperandBuffers(sc_core::sc_module_name name);

  sc_core::sc_in<Arrival> arrival;
  sc_core::sc_in<Step> step;
  sc_core::sc_out<StepOperands> operands;
  sc_core::sc_out<AccumulatorLoad> accumulator_load;

  /// The buffers of the instruction shown in a waveform, element by element.
  void trace_elements(sc_core::sc_trace_file* file, const isa::MmaOp& op);

 private:
  /// One instruction's operands, as far as they have arrived.
  struct Set {
    std::uint64_t sequence = ~std::uint64_t{0};
    std::vector<std::uint32_t> a, b, c, e;  ///< register images
    isa::MmaMatrices matrices;
  };

  void collect();
  void present();
  Set& set_of(const Operation& of);

  std::array<Set, kJobs> sets_;
  isa::MmaMatrices shown_;  ///< what trace_elements() traces; empty unless it was called
};

}  // namespace stc::tensor_core
