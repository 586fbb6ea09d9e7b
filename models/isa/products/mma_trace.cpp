// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/mma_trace.h"

#include "models/arith/convert.h"
#include "models/isa/mma/element_format.h"

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
  const bool emulated = is_fp8(op.a);
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

OutputTrace trace_output(const MmaOp& op, const arith::Numerics& numerics, const MmaMatrices& in, int row, int column) {
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
