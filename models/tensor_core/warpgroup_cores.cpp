// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/warpgroup_cores.h"

#include <algorithm>
#include <utility>

#include "models/isa/products/mma_trace.h"
#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

int bits_for(int values) {
  int bits = 1;
  while (1 << bits < values) ++bits;
  return bits;
}

}  // namespace

int WarpgroupSchedule::step_cycle(int step) const {
  int cycle = reading_a() - 1;
  for (int i = 0; i <= step; ++i) {
    const int last = std::min<int>(op.n, (i + 1) * columns_per_cycle) - 1;
    cycle = std::max(cycle + 1, column_here(last));
  }
  return cycle;
}

WarpgroupCores::WarpgroupCores(sc_core::sc_module_name name, const WarpgroupSchedule& schedule,
                               const arith::Numerics& numerics, isa::MmaMatrices operands)
    : sc_module(name),
      clock("clock"),
      request("request"),
      result("result"),
      schedule_(schedule),
      numerics_(numerics),
      in_(std::move(operands)),
      d_(in_.c) {
  const isa::MmaOp& op = schedule_.op;
  const auto size = [](int a, int b, int c = 1) { return static_cast<std::size_t>(a * b * c); };
  weights_.resize(size(rows(), op.stored_k()));
  activations_.resize(size(op.k, width()));
  selects_.resize(size(rows(), op.stored_k()));
  selected_.resize(size(rows(), width(), op.stored_k()));
  products_.resize(selected_.size());
  sums_.resize(size(op.m, width()));
  for (const std::uint32_t bits : in_.c) accumulators_.push_back(readable(isa::element_value(op.c, bits)));
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
}

void WarpgroupCores::on_edge() {
  if (cycle_ >= 0 && ++cycle_ > schedule_.complete()) cycle_ = -1;
  if (cycle_ < 0 && request.read()) {
    cycle_ = 0;
    // Metadata come with the instruction, in registers.
    for (std::size_t i = 0; i < selects_.size() && i < in_.select.size(); ++i)
      selects_[i] = static_cast<std::uint32_t>(in_.select[i]);
  }
  result.write(cycle_ == schedule_.complete());
  reading_row_ = reading_column_ = column_ = arriving_ = -1;
  bytes_ = 0;
  if (cycle_ < 0) return;
  read();
  for (int step = 0; step < schedule_.steps(); ++step) {
    if (schedule_.step_cycle(step) == cycle_) multiply(step);
  }
  accumulate();
}

void WarpgroupCores::read() {
  if (cycle_ >= schedule_.reading()) return;
  const isa::MmaOp& op = schedule_.op;
  const bool of_a = cycle_ < schedule_.reading_a();
  const int all = of_a ? op.m * schedule_.row_bytes() : op.n * schedule_.column_bytes();
  const int before = (of_a ? cycle_ : cycle_ - schedule_.reading_a()) * schedule_.bytes_per_cycle;
  bytes_ = std::min(schedule_.bytes_per_cycle, all - before);
  (of_a ? reading_row_ : reading_column_) = before / (of_a ? schedule_.row_bytes() : schedule_.column_bytes());
  for (int row = 0; of_a && row < rows(); ++row) {
    if (schedule_.row_here(row) != cycle_) continue;
    const auto from = static_cast<std::ptrdiff_t>(row * op.stored_k());
    std::copy_n(in_.a.begin() + from, op.stored_k(), weights_.begin() + from);
  }
  show_bits(weights_, isa::bits_of(op.a), weights_);
}

void WarpgroupCores::multiply(int step) {
  const isa::MmaOp& op = schedule_.op;
  column_ = step * width();
  Sums sums{cycle_ + schedule_.latency, step, {}};
  for (int row = 0; row < op.m; ++row) {
    for (int i = 0; i < width() && column_ + i < op.n; ++i) {
      const isa::OutputTrace trace = isa::trace_output(op, numerics_, in_, row, column_ + i);
      sums.d.push_back(trace.d);
      if (row >= rows()) continue;
      const std::size_t unit = static_cast<std::size_t>((row * width() + i) * op.stored_k());
      for (const isa::ProductStep& product : trace.products) {
        const std::size_t place = unit + static_cast<std::size_t>(product.stored);
        selected_[place] = product.b & (0xffffffffu >> (32 - isa::bits_of(op.b)));
        products_[place] = readable(isa::element_value(op.a, product.a) * isa::element_value(op.b, product.b));
      }
    }
  }
  for (int k = 0; k < op.k; ++k) {
    for (int i = 0; i < width() && column_ + i < op.n; ++i)
      activations_[static_cast<std::size_t>(k * width() + i)] =
          in_.b[at(k, column_ + i)] & (0xffffffffu >> (32 - isa::bits_of(op.b)));
  }
  under_way_.push_back(std::move(sums));
}

void WarpgroupCores::accumulate() {
  if (under_way_.empty() || under_way_.front().cycle != cycle_) return;
  const Sums& sums = under_way_.front();
  const isa::MmaOp& op = schedule_.op;
  arriving_ = sums.step * width();
  const int columns = std::min(width(), op.n - arriving_);
  for (int row = 0; row < op.m; ++row) {
    for (int i = 0; i < columns; ++i) {
      const std::uint32_t bits = sums.d[static_cast<std::size_t>(row * columns + i)];
      d_[at(row, arriving_ + i)] = bits;
      const double value = readable(isa::element_value(op.c, bits));
      sums_[static_cast<std::size_t>(row * width() + i)] = accumulators_[at(row, arriving_ + i)] = value;
    }
  }
  under_way_.erase(under_way_.begin());
}

void WarpgroupCores::trace_inside(sc_core::sc_trace_file* file) {
  using sc_core::sc_trace;
  const isa::MmaOp& op = schedule_.op;
  const std::string own = std::string(name()) + ".";
  sc_trace(file, request, own + "request");
  sc_trace(file, result, own + "result");
  sc_trace(file, reading_row_, own + "control.reading_a_row");
  sc_trace(file, reading_column_, own + "control.reading_b_column");
  sc_trace(file, bytes_, own + "control.operand_bytes");
  sc_trace(file, column_, own + "control.multiplied_column");
  sc_trace(file, arriving_, own + "control.accumulated_column");
  const int a_bits = isa::bits_of(op.a), b_bits = isa::bits_of(op.b), stored = op.stored_k();
  for (int row = 0; row < rows(); ++row) {
    for (int p = 0; p < stored; ++p) {
      const auto i = static_cast<std::size_t>(row * stored + p);
      sc_trace(file, weights_[i], own + "operand_buffers." + weight_name(row, p), a_bits);
      if (op.sparse) sc_trace(file, selects_[i], own + "metadata_unit." + select_name(row, p), bits_for(op.k));
    }
  }
  for (int k = 0; k < op.k; ++k) {
    for (int i = 0; i < width(); ++i)
      sc_trace(file, activations_[static_cast<std::size_t>(k * width() + i)],
               own + "operand_buffers." + activation_name(k, i), b_bits);
  }
  for (int row = 0; row < op.m; ++row) {
    for (int i = 0; i < width(); ++i) {
      for (int p = 0; row < rows() && p < stored; ++p) {
        const auto place = static_cast<std::size_t>((row * width() + i) * stored + p);
        sc_trace(file, selected_[place], own + "operand_selector." + selected_name(row, i, p), b_bits);
        sc_trace(file, products_[place], own + "dot_product_array." + product_name(row, i, p));
      }
      sc_trace(file, sums_[static_cast<std::size_t>(row * width() + i)], own + "sums." + output_name(row, i));
    }
    for (int column = 0; column < op.n; ++column) {
      const std::string output = own + "accumulator." + output_name(row, column);
      sc_trace(file, accumulators_[at(row, column)], output);
      sc_trace(file, d_[at(row, column)], output + "_bits", isa::bits_of(op.c));
    }
  }
}

}  // namespace stc::tensor_core
