// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/accumulator.h"

#include <algorithm>

#include "models/isa/products/mma_trace.h"
#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

/// Calls f(place in [16][8], unit) for every output of the addition's tile.
template <class F>
void for_tile(const Addition& addition, F f) {
  const OutputTile& tile = addition.tile;
  std::size_t unit = 0;
  for (int row = tile.row; row < tile.row + tile.rows; ++row) {
    for (int column = tile.column; column < tile.column + tile.columns; ++column) {
      f(static_cast<std::size_t>(row * addition.of.op.n + column), unit++);
    }
  }
}

}  // namespace

Accumulator::Accumulator(sc_core::sc_module_name name)
    : sc_module(name),
      cycle("cycle"),
      load("load"),
      additions("additions"),
      accumulators("accumulators"),
      sums("sums") {
  SC_METHOD(load_c);
  sensitive << load;
  dont_initialize();
  SC_METHOD(present);
  sensitive << additions;
  dont_initialize();
  SC_METHOD(take_sums);
  sensitive << sums;
  dont_initialize();
  SC_METHOD(commit);
  sensitive << cycle;
  dont_initialize();
}

void Accumulator::load_c() {
  const AccumulatorLoad& in = load.read();
  Values& values = values_[in.of.slot()];
  values.sequence = in.of.sequence;
  values.d = in.c;
  show(in.of.op, values.d);
}

void Accumulator::present() {
  Additions out = additions.read();
  for (const Addition& addition : out.commands) {
    const Values& values = values_[addition.of.slot()];
    for_tile(addition, [&](std::size_t place, std::size_t) { out.values.push_back(values.d[place]); });
  }
  accumulators.write(out);
}

void Accumulator::take_sums() {
  const Additions& in = sums.read();
  for (std::size_t i = 0; i < in.commands.size(); ++i) {
    const std::size_t units = in.values.size() / in.commands.size();
    const auto first = in.values.begin() + static_cast<std::ptrdiff_t>(i * units);
    leaving_.push_back(
        {in.commands[i].leaves - 1, in.commands[i], {first, first + static_cast<std::ptrdiff_t>(units)}});
  }
  commit();
}

void Accumulator::commit() {
  const Cycle now = cycle.read();
  for (auto sum = leaving_.begin(); sum != leaving_.end();) {
    if (sum->last_cycle > now) {
      ++sum;
      continue;
    }
    const Leaving done = *sum;
    sum = leaving_.erase(sum);
    const Operation& of = done.addition.of;
    Values& values = values_[of.slot()];
    for_tile(done.addition, [&](std::size_t place, std::size_t unit) { values.d[place] = done.values[unit]; });
    show(of.op, values.d);
    if (done.addition.last) on_complete(of, values.d);
  }
}

void Accumulator::show(const isa::MmaOp& op, const std::vector<std::uint32_t>& values) {
  if (shown_bits_.empty()) return;
  std::copy(values.begin(), values.end(), shown_bits_.begin());
  for (std::size_t i = 0; i < values.size(); ++i) shown_numbers_[i] = readable(isa::element_value(op.c, values[i]));
}

void Accumulator::trace_values(sc_core::sc_trace_file* file, const isa::MmaOp& op) {
  shown_bits_.assign(static_cast<std::size_t>(op.m * op.n), 0u);
  shown_numbers_.assign(shown_bits_.size(), 0.0);
  for (int row = 0; row < op.m; ++row) {
    for (int column = 0; column < op.n; ++column) {
      const auto place = static_cast<std::size_t>(row * op.n + column);
      const std::string path = fmt::format("{}.{}", name(), output_name(row, column));
      sc_core::sc_trace(file, shown_numbers_[place], path);
      sc_core::sc_trace(file, shown_bits_[place], path + "_bits", isa::bits_of(op.c));
    }
  }
}

}  // namespace stc::tensor_core
