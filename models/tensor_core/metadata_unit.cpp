// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/metadata_unit.h"

#include <algorithm>

#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {

MetadataUnit::MetadataUnit(sc_core::sc_module_name name) : sc_module(name), operands("operands"), selects("selects") {
  SC_METHOD(steer);
  sensitive << operands;
  dont_initialize();
}

void MetadataUnit::steer_one(const Operation& of, const std::vector<std::uint32_t>& metadata, int row, int p,
                             std::vector<std::uint8_t>& index) {
  const isa::MmaOp& op = of.op;
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  const int selector = of.selector % layout.selectors();
  const int element = p / op.pattern.elements_per_index;
  const int multiplexers = multiplexers_of(op), bits = select_bits(op);
  // With one multiplexer for a weight of two granules, the bits that matter are not the lowest.
  const auto place = multiplexers > 1 ? layout.place(row, element, selector) : layout.mux_place(row, element, selector);
  const std::uint32_t code = metadata[static_cast<std::size_t>(place.reg * layout.kLanes + place.lane)] >> place.bit;
  const std::uint32_t mask = (1u << bits) - 1;
  for (int i = 0; i < multiplexers; ++i) index.push_back(static_cast<std::uint8_t>(code >> (i * bits) & mask));
}

void MetadataUnit::steer() {
  const StepOperands& in = operands.read();
  MuxSelects out;
  out.step = in.step;
  const Step& slice = in.step;
  if (slice.of.valid) {
    if (slice.of.op.sparse) {
      for (int row = slice.tile.row; row < slice.tile.row + slice.tile.rows; ++row) {
        for (int p = slice.stored; p < slice.stored + slice.count; ++p) {
          steer_one(slice.of, in.metadata, row, p, out.index);
        }
      }
    } else {
      out.index.assign(static_cast<std::size_t>(slice.tile.rows * slice.count), 0);
    }
    if (!shown_bits_.empty()) show(out);
  } else {
    std::fill(shown_selects_.begin(), shown_selects_.end(), std::uint8_t{0});
    std::fill(shown_bits_.begin(), shown_bits_.end(), 0u);
  }
  selects.write(out);
}

void MetadataUnit::show(const MuxSelects& out) {
  const int bits = select_bits(out.step.of.op);
  const std::size_t per_row = out.index.size() / shown_bits_.size();
  std::copy(out.index.begin(), out.index.end(), shown_selects_.begin());
  for (std::size_t row = 0; row < shown_bits_.size(); ++row) {
    shown_bits_[row] = 0;
    for (std::size_t i = 0; i < per_row && static_cast<int>(i) * bits < 64; ++i) {
      shown_bits_[row] |= std::uint64_t{out.index[row * per_row + i]} << (static_cast<int>(i) * bits);
    }
  }
}

void MetadataUnit::trace_selects(sc_core::sc_trace_file* file, const StepSchedule& schedule) {
  const int per_row = schedule.steps.front().count * multiplexers_of(schedule.op);
  const int bits = std::max(1, select_bits(schedule.op));
  shown_selects_.assign(static_cast<std::size_t>(schedule.tile_rows * per_row), 0);
  shown_bits_.assign(static_cast<std::size_t>(schedule.tile_rows), 0u);
  for (int row = 0; row < schedule.tile_rows; ++row) {
    sc_core::sc_trace(file, shown_bits_[static_cast<std::size_t>(row)],
                      fmt::format("{}.{}", name(), index_bits_name(row)), std::min(64, bits * per_row));
    for (int i = 0; i < per_row; ++i) {
      sc_core::sc_trace(file, shown_selects_[static_cast<std::size_t>(row * per_row + i)],
                        fmt::format("{}.{}", name(), select_name(row, i)), bits);
    }
  }
}

}  // namespace stc::tensor_core
