// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/mma_trace.h"

#include "models/arith/convert.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/warpgroup_mma.h"

namespace stc::isa {
namespace {

std::uint32_t as_f16(NumberFormat format, std::uint32_t bits) {
  return arith::from_float(arith::kF16, arith::to_float(float_format(format), bits));
}

/// Emulated fp8 sums stored elements with p mod 4 in {0, 1} first (emulated_fp8.h).
std::vector<ProductStep> in_emulated_order(const std::vector<ProductStep>& products) {
  std::vector<ProductStep> ordered;
  for (const int half : {0, 1}) {
    for (const ProductStep& product : products) {
      if (product.stored % 4 / 2 == half) ordered.push_back(product);
    }
  }
  return ordered;
}

void trace_blocks(const MmaOp& op, const arith::Numerics& numerics, OutputTrace& out) {
  const bool emulated = is_fp8(op.a) && !op.warpgroup;
  const auto accumulator = accumulator_of(op);
  std::vector<std::uint32_t> a, b;
  if (emulated) out.products = in_emulated_order(out.products);
  for (const ProductStep& product : out.products) {
    a.push_back(emulated ? as_f16(op.a, product.a) : product.a);
    b.push_back(emulated ? as_f16(op.b, product.b) : product.b);
  }
  out.rules = rules_of(op, numerics);
  out.c_added_last = emulated;
  // An emulated product is two instructions, each with its own blocks.
  const std::size_t parts = emulated ? 2 : 1;
  const std::size_t length = a.size() / parts;
  std::uint32_t sum = emulated ? 0 : out.c;
  for (std::size_t first = 0; first < a.size(); first += length) {
    const std::size_t old_blocks = out.blocks.size();
    sum = arith::fused_dot(out.rules, emulated ? arith::kF16 : float_format(op.a),
                           emulated ? arith::kF16 : float_format(op.b), accumulator, &a[first], &b[first],
                           static_cast<int>(length), sum, &out.blocks);
    for (std::size_t block = old_blocks; block < out.blocks.size(); ++block) {
      for (arith::TermTrace& term : out.blocks[block].terms) {
        if (term.index >= 0) term.index += static_cast<int>(first);
      }
    }
  }
}

}  // namespace

double element_value(NumberFormat format, std::uint32_t bits) {
  if (is_integer(format)) {
    const int top = 32 - bits_of(format);
    if (format == NumberFormat::u8 || format == NumberFormat::u4) return static_cast<double>(bits << top >> top);
    return static_cast<double>(static_cast<std::int32_t>(bits << top) >> top);
  }
  return static_cast<double>(arith::to_float(float_format(format), bits));
}

namespace {

/// The 16 rows and 8 columns around an output of a warpgroup's operation.
MmaMatrices part_around(const MmaOp& op, const MmaMatrices& in, int row, int column) {
  const MmaOp part = part_of_warpgroup(op);
  const auto first_row = static_cast<std::size_t>(row / part.m * part.m),
             first_column = static_cast<std::size_t>(column / part.n * part.n);
  const auto depth = static_cast<std::size_t>(op.stored_k()), rows = std::size_t{part.m}, columns = std::size_t{part.n};
  const auto from = static_cast<std::ptrdiff_t>(first_row * depth),
             to = static_cast<std::ptrdiff_t>((first_row + rows) * depth);
  MmaMatrices out;
  out.a.assign(in.a.begin() + from, in.a.begin() + to);
  if (op.sparse) out.select.assign(in.select.begin() + from, in.select.begin() + to);
  for (std::size_t k = 0; k < op.k; ++k) {
    for (std::size_t c = 0; c < columns; ++c) out.b.push_back(in.b[k * op.n + first_column + c]);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) out.c.push_back(in.c[(first_row + r) * op.n + first_column + c]);
  }
  return out;
}

}  // namespace

OutputTrace trace_output(const MmaOp& op, const arith::Numerics& numerics, const MmaMatrices& in, int row, int column) {
  if (op.m != 16) {
    const MmaOp part = part_of_warpgroup(op);
    return trace_output(part, numerics, part_around(op, in, row, column), row % part.m, column % part.n);
  }
  OutputTrace out;
  const int depth = op.stored_k();
  out.c = in.c[static_cast<std::size_t>(row * op.n + column)];
  for (int p = 0; p < depth; ++p) {
    const auto i = static_cast<std::size_t>(row * depth + p);
    const int b_row = op.sparse ? in.select[i] : p;
    out.products.push_back({p, b_row, in.a[i], in.b[static_cast<std::size_t>(b_row * op.n + column)]});
  }
  if (is_integer(op.a)) {
    out.exact_sum = static_cast<std::int32_t>(out.c);
    for (const ProductStep& product : out.products) {
      out.exact_sum += static_cast<std::int64_t>(element_value(op.a, product.a) * element_value(op.b, product.b));
    }
  } else {
    trace_blocks(op, numerics, out);
  }
  std::vector<std::uint32_t> d(in.c.size());
  mma_matrices(op, numerics, in.a.data(), in.b.data(), op.sparse ? in.select.data() : nullptr, in.c.data(), d.data());
  out.d = d[static_cast<std::size_t>(row * op.n + column)];
  return out;
}

}  // namespace stc::isa
