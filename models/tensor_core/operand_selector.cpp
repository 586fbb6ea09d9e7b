// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/operand_selector.h"

#include <algorithm>

#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

int mux_inputs(const isa::MmaOp& op) { return op.sparse ? op.pattern.mux_inputs() : 1; }

/// What one multiplier's multiplexers pass. Two of them choose halves: of m activations there are 2 m.
std::uint32_t pass(const std::uint32_t* activations, const std::uint8_t* index, int multiplexers, int m) {
  if (multiplexers == 1) return activations[index[0] % m];
  const auto half = [&](unsigned i) { return activations[i / 2] >> (i % 2 * 16) & 0xffffu; };
  return half(index[1]) << 16 | half(index[0]);
}

}  // namespace

OperandSelector::OperandSelector(sc_core::sc_module_name name)
    : sc_module(name), operands("operands"), selects("selects"), inputs("inputs") {
  SC_METHOD(select);
  sensitive << operands << selects;
  dont_initialize();
}

void OperandSelector::select() {
  const StepOperands& in = operands.read();
  const MuxSelects& steer = selects.read();
  if (!(in.step == steer.step)) return;  // the metadata unit answers in the next delta cycle
  MultiplierInputs out;
  out.step = in.step;
  const Step& slice = in.step;
  if (slice.of.valid) {
    const int m = mux_inputs(slice.of.op), multiplexers = multiplexers_of(slice.of.op);
    for (int row = 0; row < slice.tile.rows; ++row) {
      for (int column = 0; column < slice.tile.columns; ++column) {
        for (int i = 0; i < slice.count; ++i) {
          const auto weight = static_cast<std::size_t>(row * slice.count + i);
          const std::uint32_t* first_input = in.activations.data() + std::ptrdiff_t{column * slice.count + i} * m;
          const std::uint8_t* index = steer.index.data() + weight * static_cast<std::size_t>(multiplexers);
          out.weight.push_back(in.weights[weight]);
          out.activation.push_back(pass(first_input, index, multiplexers, m));
        }
      }
    }
  }
  if (!shown_selected_.empty()) show(in, out);
  inputs.write(out);
}

void OperandSelector::show(const StepOperands& in, const MultiplierInputs& out) {
  std::fill(shown_candidates_.begin(), shown_candidates_.end(), 0u);
  std::fill(shown_selected_.begin(), shown_selected_.end(), 0u);
  if (!in.step.of.valid) return;
  const int bits = isa::bits_of(in.step.of.op.b);
  show_bits(in.activations, bits, shown_candidates_);
  show_bits(out.activation, bits, shown_selected_);
}

void OperandSelector::trace_multiplexers(sc_core::sc_trace_file* file, const StepSchedule& schedule) {
  const int count = schedule.steps.front().count, m = mux_inputs(schedule.op);
  const int bits = isa::bits_of(schedule.op.b);
  shown_candidates_.assign(static_cast<std::size_t>(schedule.tile_columns * count * m), 0u);
  shown_selected_.assign(static_cast<std::size_t>(schedule.tile_rows * schedule.tile_columns * count), 0u);
  for (int column = 0; column < schedule.tile_columns; ++column) {
    for (int i = 0; i < count; ++i) {
      for (int input = 0; input < m; ++input) {
        sc_core::sc_trace(file, shown_candidates_[static_cast<std::size_t>((column * count + i) * m + input)],
                          fmt::format("{}.{}", name(), candidate_name(column, i, input)), bits);
      }
      for (int row = 0; row < schedule.tile_rows; ++row) {
        const int unit = row * schedule.tile_columns + column;
        sc_core::sc_trace(file, shown_selected_[static_cast<std::size_t>(unit * count + i)],
                          fmt::format("{}.{}", name(), selected_name(row, column, i)), bits);
      }
    }
  }
}

}  // namespace stc::tensor_core
