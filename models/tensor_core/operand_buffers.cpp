// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/operand_buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

constexpr std::ptrdiff_t kLanes = 32;

void copy_register(const std::vector<std::uint32_t>& from, int index, std::vector<std::uint32_t>& to) {
  std::copy_n(from.begin() + index * kLanes, kLanes, to.begin() + index * kLanes);
}

}  // namespace

OperandBuffers::OperandBuffers(sc_core::sc_module_name name)
    : sc_module(name), arrival("arrival"), step("step"), operands("operands"), accumulator_load("accumulator_load") {
  SC_METHOD(collect);
  sensitive << arrival;
  dont_initialize();
  SC_METHOD(present);
  sensitive << step;
  dont_initialize();
}

OperandBuffers::Set& OperandBuffers::set_of(const Job& job) {
  Set& set = sets_[slot_of(job)];
  if (set.sequence == job.sequence) return set;
  const auto clear = [](std::vector<std::uint32_t>& image, std::size_t size) { image.assign(size, 0u); };
  set.sequence = job.sequence;
  clear(set.a, job.request.a.size());
  clear(set.b, job.request.b.size());
  clear(set.c, job.request.c.size());
  clear(set.e, job.request.e.size());
  return set;
}

void OperandBuffers::collect() {
  const Command command = arrival.read();
  if (command.job == nullptr) return;
  const MmaRequest& request = command.job->request;
  Set& set = set_of(*command.job);
  bool c_arrived = false;
  for (const OperandRegister& reg : command.pass()) {
    switch (reg.operand) {
      case OperandKind::kA: copy_register(request.a, reg.index, set.a); break;
      case OperandKind::kB: copy_register(request.b, reg.index, set.b); break;
      case OperandKind::kMetadata: copy_register(request.e, reg.index, set.e); break;
      case OperandKind::kC:
        copy_register(request.c, reg.index, set.c);
        c_arrived = true;
        break;
    }
  }
  set.matrices =
      isa::unpack_registers(request.op, set.a.data(), set.b.data(), set.c.data(), set.e.data(), request.selector);
  if (c_arrived) accumulator_load.write({command, set.matrices.c});
  if (!shown_.a.empty()) {
    show_bits(set.matrices.a, isa::bits_of(request.op.a), shown_.a);
    show_bits(set.matrices.b, isa::bits_of(request.op.b), shown_.b);
    show_bits(set.matrices.c, isa::bits_of(request.op.c), shown_.c);
  }
}

void OperandBuffers::present() {
  StepOperands out;
  out.step = step.read();
  if (out.step.job != nullptr) {
    const Job& job = *out.step.job;
    const isa::MmaOp& op = job.request.op;
    const TileStep& slice = out.step.step();
    const Set& set = set_of(job);
    const int depth = op.stored_k(), inputs = op.sparse ? op.pattern.mux_inputs() : 1;
    for (int row = slice.row; row < slice.row + job.schedule->tile_rows; ++row) {
      const auto first = set.matrices.a.begin() + std::ptrdiff_t{row} * depth + slice.stored;
      out.weights.insert(out.weights.end(), first, first + slice.count);
    }
    for (int column = slice.column; column < slice.column + job.schedule->tile_columns; ++column) {
      for (int p = slice.stored; p < slice.stored + slice.count; ++p) {
        const int base = op.sparse ? job.tables->index_base[static_cast<std::size_t>(p)] : p;
        for (int input = 0; input < inputs; ++input) {
          const int b_row = base + input * job.tables->index_scale;
          out.activations.push_back(set.matrices.b[static_cast<std::size_t>(b_row * op.n + column)]);
        }
      }
    }
    out.metadata = set.e;
  }
  operands.write(out);
}

void OperandBuffers::trace_elements(sc_core::sc_trace_file* file, const isa::MmaOp& op) {
  const isa::MmaTables& tables = isa::mma_tables(op);
  shown_.a.assign(tables.a.word.size(), 0u);
  shown_.b.assign(tables.b.word.size(), 0u);
  shown_.c.assign(tables.c.word.size(), 0u);
  const int depth = op.stored_k();
  const auto trace = [&](const std::uint32_t& value, int bits, const std::string& path) {
    sc_core::sc_trace(file, value, fmt::format("{}.{}", name(), path), bits);
  };
  for (int row = 0; row < op.m; ++row) {
    for (int p = 0; p < depth; ++p) {
      trace(shown_.a[static_cast<std::size_t>(row * depth + p)], isa::bits_of(op.a), weight_name(row, p));
    }
    for (int column = 0; column < op.n; ++column) {
      trace(shown_.c[static_cast<std::size_t>(row * op.n + column)], isa::bits_of(op.c),
            "C." + output_name(row, column));
    }
  }
  for (int k = 0; k < op.k; ++k) {
    for (int column = 0; column < op.n; ++column) {
      trace(shown_.b[static_cast<std::size_t>(k * op.n + column)], isa::bits_of(op.b), activation_name(k, column));
    }
  }
}

}  // namespace stc::tensor_core
