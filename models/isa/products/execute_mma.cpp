// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/execute_mma.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "models/arith/emulated_fp8.h"
#include "models/arith/fused_tile.h"
#include "models/arith/integer_dot.h"
#include "models/arith/vector_clones.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/binary_mma.h"
#include "models/isa/products/mma_by_fragments.h"
#include "models/isa/products/mma_operands.h"
#include "models/isa/products/selected_rows.h"
#include "models/isa/products/unpack_fragment.h"
#include "models/isa/values/execute.h"
#include "models/isa/values/half_select.h"

namespace stc::isa {
namespace {

constexpr int kMaxElementsA = 16 * arith::kMaxTileDepth;
constexpr int kMaxElementsB = arith::kMaxTileBRows * arith::kTileColumns;
constexpr int kOutputs = 16 * arith::kTileColumns;

/// Shifting an element to the top of the word and back extends its sign or fills zeros.
STC_VECTOR_CLONES void gather(const GatherTable& table, int bits, bool sign_extend, const std::uint32_t* image,
                              std::uint32_t* elements) {
  const auto count = static_cast<int>(table.word.size());
  const std::int32_t* word = table.word.data();
  const std::int32_t* bit = table.bit.data();
  const int top = 32 - bits;
  if (sign_extend) {
    for (int i = 0; i < count; ++i) {
      elements[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(image[word[i]] << (top - bit[i])) >> top);
    }
  } else {
    const std::uint32_t mask = 0xffffffffu >> top;
    for (int i = 0; i < count; ++i) elements[i] = image[word[i]] >> bit[i] & mask;
  }
}

bool is_signed(NumberFormat format) { return format == NumberFormat::s8 || format == NumberFormat::s4; }

void gather_all(const MmaTables& tables, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                const std::uint32_t* e, int selector, std::uint32_t* a_out, std::uint32_t* b_out, std::uint32_t* c_out,
                std::uint16_t* select_out) {
  const MmaOp& op = tables.op;
  if (!unpack_a(op, a, a_out)) gather(tables.a, bits_of(op.a), is_signed(op.a), a, a_out);
  if (!unpack_b(op, b, b_out)) gather(tables.b, bits_of(op.b), is_signed(op.b), b, b_out);
  if (!unpack_c(op, c, c_out)) gather(tables.c, bits_of(op.c), false, c, c_out);
  if (op.sparse) gather_selects(tables, e, selector, select_out);
}

}  // namespace

MmaMatrices unpack_registers(const MmaOp& op, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             const std::uint32_t* e, int selector) {
  const MmaTables& tables = mma_tables(op);
  MmaMatrices out;
  out.a.resize(tables.a.word.size());
  out.b.resize(tables.b.word.size());
  out.c.resize(tables.c.word.size());
  out.select.resize(tables.index_base.size());
  gather_all(tables, a, b, c, e, selector, out.a.data(), out.b.data(), out.c.data(), out.select.data());
  return out;
}

void pack_registers(const GatherTable& table, int bits, const std::uint32_t* elements, int registers,
                    std::uint32_t* image) {
  std::fill(image, image + std::ptrdiff_t{registers} * kWarpSize, 0u);
  const std::uint32_t mask = 0xffffffffu >> (32 - bits);
  for (std::size_t i = 0; i < table.word.size(); ++i) {
    // `elements` has as many as the table: gather() filled it by the same one.
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
    image[table.word[i]] |= (elements[i] & mask) << table.bit[i];
  }
}

void mma_matrices(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d) {
  const arith::TileShape shape{op.m, op.stored_k(), op.k};
  if (op.exclusive_or) {
    exclusive_or_tile(shape, a, b, c, d);
    return;
  }
  if (is_integer(op.a)) {
    arith::integer_tile(shape, op.saturate, reinterpret_cast<const std::int32_t*>(a),
                        reinterpret_cast<const std::int32_t*>(b), select, c, d);
    return;
  }
  const arith::Accumulator accumulator = accumulator_of(op);
  const arith::FloatFormat a_format = float_format(op.a), b_format = float_format(op.b);
  const arith::FusedDotRules rules = rules_of(op, numerics);
  if (is_fp8(op.a) && !op.warpgroup) {
    arith::emulated_fp8_tile(rules, a_format, b_format, accumulator, shape, a, b, select, c, d);
  } else {
    arith::fused_tile(rules, a_format, b_format, accumulator, shape, a, b, select, c, d);
  }
}

void mma_registers(const MmaTables& tables, const arith::Numerics& numerics, const std::uint32_t* a,
                   const std::uint32_t* b, const std::uint32_t* c, const std::uint32_t* e, int selector,
                   std::uint32_t* d) {
  const MmaOp& op = tables.op;
  if (op.a == NumberFormat::b1) {
    binary_mma_registers(op, a, b, c, d);
    return;
  }
  if (compute_by_fragments(tables, numerics, {a, b, c, e}, selector, d)) return;
  assert(tables.a.word.size() <= kMaxElementsA && tables.b.word.size() <= kMaxElementsB);
  alignas(64) std::uint32_t a_elements[kMaxElementsA];
  alignas(64) std::uint32_t b_elements[kMaxElementsB];
  alignas(64) std::uint32_t c_elements[kOutputs];
  alignas(64) std::uint16_t select[kMaxElementsA];
  gather_all(tables, a, b, c, e, selector, a_elements, b_elements, c_elements, select);
  if (splits_activations(op, e)) {
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(op.k / 2 * kHalfCombinations * arith::kTileColumns));
    split_activations(op, b_elements, e, selector, rows.data(), select);
    const arith::TileShape shape{op.m, op.stored_k(), op.k / 2 * kHalfCombinations};
    arith::fused_tile(rules_of(op, numerics), float_format(op.a), float_format(op.b), accumulator_of(op), shape,
                      a_elements, rows.data(), select, c_elements, c_elements);
  } else {
    mma_matrices(op, numerics, a_elements, b_elements, op.sparse ? select : nullptr, c_elements, c_elements);
  }
  if (!pack_c(op, c_elements, d)) pack_registers(tables.c, bits_of(op.c), c_elements, op.c_registers(), d);
}

void mma_registers(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                   const std::uint32_t* c, const std::uint32_t* e, int selector, std::uint32_t* d) {
  mma_registers(mma_tables(op), numerics, a, b, c, e, selector, d);
}

namespace {

/// D lies over registers that are still read when a part of it has been written. D may be C.
bool overwrites_operands(const Instruction& instruction, const MmaTables& tables) {
  const auto over = [&](int first, int registers) {
    return first != kRegisterZero && first < instruction.dest + tables.c_registers &&
           instruction.dest < first + registers;
  };
  return over(instruction.a.index, tables.a_registers) || over(instruction.b.index, tables.b_registers) ||
         (instruction.c.index != instruction.dest && over(instruction.c.index, tables.c_registers)) ||
         (instruction.mma.sparse && over(instruction.metadata_register, tables.metadata_registers));
}

}  // namespace

void execute_mma(const Instruction& instruction, WarpState& warp, const arith::Numerics& numerics) {
  const MmaTables& tables = mma_tables(instruction.mma);
  const MmaOperands in(instruction, warp, tables);
  std::uint32_t* const d = mma_result(instruction, warp, tables);
  const bool apart = d == nullptr || overwrites_operands(instruction, tables);
  std::uint32_t elsewhere[4 * kWarpSize];
  mma_registers(tables, numerics, in.a, in.b, in.c, in.e, instruction.selector, apart ? elsewhere : d);
  if (apart && d != nullptr) std::copy_n(elsewhere, tables.c_registers * kWarpSize, d);
}

}  // namespace stc::isa
