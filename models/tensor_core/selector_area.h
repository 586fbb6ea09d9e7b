// SPDX-License-Identifier: Apache-2.0
// Models:   area of the selection network of an N:M pattern in a library of open cells, by synthesis of rtl/.
// Evidence: selector_area.def, which scripts/rtl makes; Verilator finds rtl/ equal to the SystemC unit.
// Abstracts: layout, wires, pipeline registers, operand buffers; the library is not NVIDIA's. Compare ratios.
// Timing:   none.
#pragma once

#include <optional>

#include "models/isa/mma/mma_op.h"

namespace stc::tensor_core {

/// Of one step of a tensor core: 8 x 4 units of 8 multipliers for elements of 16 bits, of 16 for integers of 8.
struct SelectorArea {
  int cells = 0;        ///< of metadata unit and operand selector
  double area = 0;      ///< of both, um^2 of the library
  double array = 0;     ///< of the 32 dot-product units behind them
  double delay_ps = 0;  ///< from metadata registers to the multipliers
  double relative() const { return area / array; }
};

/// Nothing for what was not synthesised: other elements, joint encodings, patterns that the table lacks.
std::optional<SelectorArea> selector_area(const isa::MmaOp& op);

/// Name of the library.
const char* selector_area_library();

}  // namespace stc::tensor_core
