// SPDX-License-Identifier: Apache-2.0
// Models:   the unit that turns index bits of the metadata register into the selects of one step's multiplexers.
// Evidence: models/sparsity/metadata_layout.h has the places of the bits, confirmed on an H200. Every index value is
//           obeyed, ordered or not.
// Abstracts: how the bits of other lanes reach the unit.
// Timing:   none of its own; selects follow the step in the same cycle.
#pragma once

#include <systemc>
#include <vector>

#include "models/tensor_core/signals.h"

namespace stc::tensor_core {

class MetadataUnit : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MetadataUnit);
  explicit MetadataUnit(sc_core::sc_module_name name);

  sc_core::sc_in<StepOperands> operands;
  sc_core::sc_out<MuxSelects> selects;

  /// Selects and, per row of the tile, the index bits that made them.
  void trace_selects(sc_core::sc_trace_file* file, const StepSchedule& schedule);

 private:
  void steer();
  static void steer_one(const Operation& of, const std::vector<std::uint32_t>& metadata, int row, int p,
                        std::vector<std::uint8_t>& index);
  void show(const MuxSelects& out);

  std::vector<std::uint8_t> shown_selects_;  ///< [tile rows][multiplexers of a row]; empty unless traced
  std::vector<std::uint64_t> shown_bits_;    ///< [tile rows]: the selects side by side, as in the register
};

}  // namespace stc::tensor_core
