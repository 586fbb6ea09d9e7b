// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/dot_product_array.h"

#include <algorithm>
#include <stdexcept>

#include "models/arith/fused_tile.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/execute_mma.h"
#include "models/isa/products/mma_trace.h"
#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

/// The instruction that one row of units carries out for one block: a dense product of depth `count`.
isa::MmaOp row_of(const isa::MmaOp& op, int count) {
  isa::MmaOp row = op;
  row.m = 1;
  row.k = static_cast<std::uint16_t>(count);
  row.sparse = false;
  row.pattern = {};
  return row;
}

}  // namespace

DotProductArray::DotProductArray(sc_core::sc_module_name name, const arith::Numerics& numerics)
    : sc_module(name), inputs("inputs"), accumulators("accumulators"), sums("sums"), numerics_(numerics) {
  SC_METHOD(multiply);
  sensitive << inputs;
  dont_initialize();
  SC_METHOD(add);
  sensitive << accumulators;
  dont_initialize();
}

DotProductArray::Products& DotProductArray::products_of(const Operation& of, const OutputTile& tile) {
  Products& products = products_[of.slot()];
  if (products.sequence == of.sequence) return products;
  const isa::MmaOp& op = of.op;
  const auto size = static_cast<std::size_t>(op.m * op.n * op.stored_k());
  products.sequence = of.sequence;
  products.weight.assign(size, 0u);
  products.activation.assign(size, 0u);
  products.present.assign(size, 0);
  products.added.assign(static_cast<std::size_t>(op.m * op.n / (tile.rows * tile.columns)), 0);
  return products;
}

/// Products that are summed at once before a result is rounded. Integers are never rounded.
int DotProductArray::block_length(const isa::MmaOp& op) const {
  return isa::is_integer(op.a) ? op.stored_k() : isa::rules_of(op, numerics_).block_length;
}

void DotProductArray::multiply() {
  const MultiplierInputs& in = inputs.read();
  if (shown_.count != 0) show(in);
  const Step& slice = in.step;
  if (!slice.of.valid) return;
  const isa::MmaOp& op = slice.of.op;
  Products& products = products_of(slice.of, slice.tile);
  std::size_t multiplier = 0;
  for (int row = slice.tile.row; row < slice.tile.row + slice.tile.rows; ++row) {
    for (int column = slice.tile.column; column < slice.tile.column + slice.tile.columns; ++column) {
      auto place = static_cast<std::size_t>((row * op.n + column) * op.stored_k() + slice.stored);
      for (int i = 0; i < slice.count; ++i, ++place, ++multiplier) {
        products.weight[place] = in.weight[multiplier];
        products.activation[place] = in.activation[multiplier];
        products.present[place] = 1;
      }
    }
  }
}

void DotProductArray::add() {
  const Additions& in = accumulators.read();
  Additions out = in;
  const std::size_t units = in.commands.empty() ? 0 : in.values.size() / in.commands.size();
  for (std::size_t i = 0; i < in.commands.size(); ++i) {
    add_tile(in.commands[i], in.values.data() + i * units, out.values.data() + i * units);
  }
  sums.write(out);
}

void DotProductArray::add_tile(const Addition& addition, const std::uint32_t* c, std::uint32_t* d) {
  const OutputTile& tile = addition.tile;
  int& added = products_of(addition.of, tile).added[static_cast<std::size_t>(tile.number)];
  const int length = block_length(addition.of.op), depth = addition.of.op.stored_k();
  int next = added;
  std::copy_n(c, tile.rows * tile.columns, d);
  for (; next < addition.end; next += length) {
    const int count = std::min(length, depth - next);
    if (next + count > addition.end) break;  // the block goes on in products that belong to the next addition
    for (int row = 0; row < tile.rows; ++row) {
      add_row(addition, tile.row + row, next, count, d + std::ptrdiff_t{row} * tile.columns);
    }
  }
  added = std::min(next, depth);
}

void DotProductArray::add_row(const Addition& addition, int row, int first, int count, std::uint32_t* values) {
  const isa::MmaOp& op = addition.of.op;
  const OutputTile& tile = addition.tile;
  const Products& products = products_of(addition.of, tile);
  std::uint32_t a[arith::kMaxTileDepth] = {};
  std::uint32_t b[arith::kMaxTileDepth * arith::kTileColumns] = {};
  std::uint32_t c[arith::kTileColumns] = {};
  for (int unit = 0; unit < tile.columns; ++unit) {
    const auto place = static_cast<std::size_t>((row * op.n + tile.column + unit) * op.stored_k() + first);
    for (int i = 0; i < count; ++i) {
      const std::size_t product = place + static_cast<std::size_t>(i);
      if (products.present[product] == 0) {
        throw std::logic_error(fmt::format("{}: {} adds product {} of output ({}, {}) before it was multiplied", name(),
                                           op.name(), first + i, row, tile.column + unit));
      }
      a[i] = products.weight[product];
      b[i * arith::kTileColumns + unit] = products.activation[product];
    }
    c[unit] = values[unit];
  }
  isa::mma_matrices(row_of(op, count), numerics_, a, b, nullptr, c, c);
  std::copy(c, c + tile.columns, values);
}

void DotProductArray::show(const MultiplierInputs& in) {
  for (auto* numbers : {&shown_.weight, &shown_.activation, &shown_.product, &shown_.dot_product}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
  if (!in.step.of.valid) return;
  const isa::MmaOp& op = in.step.of.op;
  const auto count = static_cast<std::size_t>(in.step.count);
  for (std::size_t i = 0; i < in.weight.size(); ++i) {
    const double weight = isa::element_value(op.a, in.weight[i]);
    const double activation = isa::element_value(op.b, in.activation[i]);
    shown_.weight[i] = readable(weight);
    shown_.activation[i] = readable(activation);
    shown_.product[i] = readable(weight * activation);
    shown_.dot_product[i / count] += weight * activation;
  }
  for (double& sum : shown_.dot_product) sum = readable(sum);
}

void DotProductArray::trace_units(sc_core::sc_trace_file* file, const StepSchedule& schedule) {
  const int units = schedule.tile_rows * schedule.tile_columns;
  shown_.count = schedule.steps.front().count;
  const auto size = static_cast<std::size_t>(units * shown_.count);
  for (auto* numbers : {&shown_.weight, &shown_.activation, &shown_.product}) numbers->assign(size, 0.0);
  shown_.dot_product.assign(static_cast<std::size_t>(units), 0.0);
  const auto trace = [&](const double& value, const std::string& path) {
    sc_core::sc_trace(file, value, fmt::format("{}.{}", name(), path));
  };
  for (int unit = 0; unit < units; ++unit) {
    const int row = unit / schedule.tile_columns, column = unit % schedule.tile_columns;
    for (int i = 0; i < shown_.count; ++i) {
      const auto place = static_cast<std::size_t>(unit * shown_.count + i);
      trace(shown_.weight[place], multiplier_weight_name(row, column, i));
      trace(shown_.activation[place], multiplier_activation_name(row, column, i));
      trace(shown_.product[place], product_name(row, column, i));
    }
    trace(shown_.dot_product[static_cast<std::size_t>(unit)], dot_product_name(row, column));
  }
}

}  // namespace stc::tensor_core
