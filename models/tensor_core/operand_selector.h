// SPDX-License-Identifier: Apache-2.0
// Models:   one multiplexer for each multiplier: of the m activations of a group it passes the one that the weight's
//           index names.
// Evidence: NVIDIA A100 whitepaper (4:1 multiplexers before the multipliers); an H200 confirms the free choice of each
//           element.
// Abstracts: wiring; a dense step has one input per multiplexer and goes straight through.
// Timing:   none of its own; sparse latency equals dense latency (Sun et al., TPDS 2023).
#pragma once

#include <systemc>
#include <vector>

#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class OperandSelector : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OperandSelector);
  explicit OperandSelector(sc_core::sc_module_name name);

  sc_core::sc_in<StepOperands> operands;
  sc_core::sc_in<MuxSelects> selects;
  sc_core::sc_out<MultiplierInputs> inputs;

  /// The multiplexers' inputs by column and their outputs by unit.
  void trace_multiplexers(sc_core::sc_trace_file* file, const StepSchedule& schedule);

 private:
  void select();
  void show(const StepOperands& in, const MultiplierInputs& out);

  std::vector<std::uint32_t> shown_candidates_, shown_selected_;  ///< empty unless traced
};

}  // namespace stc::tensor_core
