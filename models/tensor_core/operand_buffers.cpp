// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/operand_buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

constexpr std::ptrdiff_t kLanes = 32;

void copy_register(const std::uint32_t* from, int index, std::vector<std::uint32_t>& to) {
  std::copy_n(from, kLanes, to.begin() + index * kLanes);
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

OperandBuffers::Set& OperandBuffers::set_of(const Operation& of) {
  Set& set = sets_[of.slot()];
  if (set.sequence == of.sequence) return set;
  const auto clear = [](std::vector<std::uint32_t>& image, int registers) {
    image.assign(static_cast<std::size_t>(registers * kLanes), 0u);
  };
  set.sequence = of.sequence;
  clear(set.a, of.op.a_registers());
  clear(set.b, of.op.b_registers());
  clear(set.c, of.op.c_registers());
  clear(set.e, of.op.sparse ? isa::mma_tables(of.op).metadata_registers : 0);
  return set;
}

void OperandBuffers::collect() {
  const Arrival& in = arrival.read();
  if (!in.of.valid) return;
  const isa::MmaOp& op = in.of.op;
  Set& set = set_of(in.of);
  bool c_arrived = false;
  const std::uint32_t* words = in.words.data();
  for (const OperandRegister& reg : in.registers) {
    switch (reg.operand) {
      case OperandKind::kA: copy_register(words, reg.index, set.a); break;
      case OperandKind::kB: copy_register(words, reg.index, set.b); break;
      case OperandKind::kMetadata: copy_register(words, reg.index, set.e); break;
      case OperandKind::kC:
        copy_register(words, reg.index, set.c);
        c_arrived = true;
        break;
    }
    words += kLanes;
  }
  set.matrices = isa::unpack_registers(op, set.a.data(), set.b.data(), set.c.data(), set.e.data(), in.of.selector);
  if (c_arrived) accumulator_load.write({in.of, in.pass, set.matrices.c});
  if (!shown_.a.empty()) {
    show_bits(set.matrices.a, isa::bits_of(op.a), shown_.a);
    show_bits(set.matrices.b, isa::bits_of(op.b), shown_.b);
    show_bits(set.matrices.c, isa::bits_of(op.c), shown_.c);
  }
}

void OperandBuffers::present() {
  StepOperands out;
  out.step = step.read();
  const Step& slice = out.step;
  if (slice.of.valid) {
    const isa::MmaOp& op = slice.of.op;
    const isa::MmaTables& tables = isa::mma_tables(op);
    const Set& set = set_of(slice.of);
    const int depth = op.stored_k(), inputs = op.sparse ? op.pattern.mux_inputs() : 1;
    for (int row = slice.tile.row; row < slice.tile.row + slice.tile.rows; ++row) {
      const auto first = set.matrices.a.begin() + std::ptrdiff_t{row} * depth + slice.stored;
      out.weights.insert(out.weights.end(), first, first + slice.count);
    }
    for (int column = slice.tile.column; column < slice.tile.column + slice.tile.columns; ++column) {
      for (int p = slice.stored; p < slice.stored + slice.count; ++p) {
        const int base = op.sparse ? tables.index_base[static_cast<std::size_t>(p)] : p;
        for (int input = 0; input < inputs; ++input) {
          const int b_row = base + input * tables.index_scale;
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
