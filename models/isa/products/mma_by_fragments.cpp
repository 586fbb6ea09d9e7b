// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/mma_by_fragments.h"

#include "models/arith/fragment_dot.h"
#include "models/arith/fragment_integers.h"
#include "models/arith/fused_tile.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/selected_rows.h"
#include "models/isa/values/half_select.h"

namespace stc::isa {
namespace {

bool floats_by_fragments(const MmaTables& tables, arith::FragmentFormat format, const arith::Numerics& numerics,
                         const MmaImages& in, int selector, std::uint32_t* d) {
  const MmaOp& op = tables.op;
  arith::FragmentDot dot;
  dot.format = format;
  dot.depth = op.stored_k();
  dot.b_rows = op.k;
  if (op.b != op.a || dot.depth > arith::kMaxFragmentDepth) return false;
  dot.rules = rules_of(op, numerics);
  dot.accumulator = accumulator_of(op);
  dot.a = in.a;
  dot.b = in.b;
  dot.c = in.c;
  std::uint16_t select[16 * arith::kMaxFragmentDepth];
  std::uint32_t index[16];
  if (op.sparse) {
    if (splits_activations(op, in.e)) return false;
    const bool short_rows = bits_of(op.a) == 16 && dot.depth <= kIndicesInWord;
    if (short_rows && gather_rows_of_index(tables, in.e, selector, index)) {
      dot.index = index;
    } else {
      gather_selects(tables, in.e, selector, select);
      dot.select = select;
    }
  }
  return arith::fragment_dot(dot, d);
}

bool integers_by_fragments(const MmaTables& tables, const MmaImages& in, int selector, std::uint32_t* d) {
  const MmaOp& op = tables.op;
  arith::FragmentIntegers dot;
  dot.depth = op.stored_k();
  if (bits_of(op.b) != 8 || dot.depth > arith::kMaxIntegerDepth || dot.depth % kIndicesInWord != 0) return false;
  std::uint32_t index[16 * arith::kMaxIntegerDepth / kIndicesInWord];
  if (op.sparse) {
    if (!gather_rows_of_index(tables, in.e, selector, index)) return false;
    dot.index = index;
  }
  dot.a_signed = op.a == NumberFormat::s8;
  dot.b_signed = op.b == NumberFormat::s8;
  dot.saturate = op.saturate;
  dot.a = in.a;
  dot.b = in.b;
  dot.c = in.c;
  arith::fragment_integers(dot, d);
  return true;
}

}  // namespace

bool compute_by_fragments(const MmaTables& tables, const arith::Numerics& numerics, const MmaImages& in, int selector,
                          std::uint32_t* d) {
  using arith::FragmentFormat;
  const MmaOp& op = tables.op;
  if (op.m != 16 || op.n != arith::kTileColumns) return false;
  switch (op.a) {
    case NumberFormat::f16: return floats_by_fragments(tables, FragmentFormat::f16, numerics, in, selector, d);
    case NumberFormat::bf16: return floats_by_fragments(tables, FragmentFormat::bf16, numerics, in, selector, d);
    case NumberFormat::tf32: return floats_by_fragments(tables, FragmentFormat::tf32, numerics, in, selector, d);
    case NumberFormat::s8:
    case NumberFormat::u8: return integers_by_fragments(tables, in, selector, d);
    default: return false;
  }
}

}  // namespace stc::isa
