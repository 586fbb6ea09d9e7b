// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/explain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace stc::sim {
namespace {

using isa::OutputTrace;

std::string bits_text(isa::NumberFormat format, std::uint32_t bits) {
  return fmt::format("{:0{}x}", bits & (0xffffffffu >> (32 - isa::bits_of(format))), isa::bits_of(format) / 4);
}

/// All digits of a short double.
std::string number(double value) { return fmt::format("{:.9g}", value); }

std::string term_line(const MmaCase& mma, const OutputTrace& trace, const arith::TermTrace& term,
                      const arith::BlockTrace& block, bool first) {
  std::string left;
  if (term.index < 0) {
    left = fmt::format("{:>6} {:>5}  {:>11} {:>11}", first ? "C" : "so far", "", "", "");
  } else {
    const isa::ProductStep& product = trace.products[static_cast<std::size_t>(term.index)];
    left = fmt::format("{:>6} {:>5}  {:>11} {:>11}", product.stored, product.b_row, element_text(mma.op.a, product.a),
                       element_text(mma.op.b, product.b));
  }
  if (term.kind == arith::FloatClass::kZero) return fmt::format("  {}  {:>16}  (takes no part)\n", left, "0");
  if (term.kind != arith::FloatClass::kFinite || block.special)
    return fmt::format("  {}  {:>16}\n", left, number(term.exact));
  return fmt::format("  {}  {:>16} {:>5} {:>6} {:>12}  {}\n", left, number(term.exact), term.exponent,
                     block.alignment - term.exponent, term.aligned, term.lost == 0 ? "-" : number(term.lost));
}

std::string block_text(const MmaCase& mma, const OutputTrace& trace, std::size_t index) {
  const arith::BlockTrace& block = trace.blocks[index];
  const int lsb = block.alignment - trace.rules.fraction_bits;
  std::string out =
      fmt::format("Block {} of {}: {} products and {}\n", index + 1, trace.blocks.size(), block.terms.size() - 1,
                  index > 0            ? "the block before"
                  : trace.c_added_last ? "zero"
                                       : "C");
  out += fmt::format("  {:>6} {:>5}  {:>11} {:>11}  {:>16} {:>5} {:>6} {:>12}  {}\n", "stored", "k", "a", "b",
                     "a*b exactly", "exp", "shift", "aligned", "cut off");
  for (const arith::TermTrace& term : block.terms) out += term_line(mma, trace, term, block, index == 0);
  if (block.special) {
    out += fmt::format("  NaN or infinity among the terms decides: {}\n", element_text(mma.op.c, block.result));
    return out;
  }
  out += fmt::format("  aligned to exponent {}{}, keeping {} fraction bits: one unit is 2^{}\n", block.alignment,
                     block.floored ? " (the floor)" : " (the largest)", trace.rules.fraction_bits, lsb);
  out += fmt::format("  sum {} units = {}\n", block.sum, number(std::ldexp(static_cast<double>(block.sum), lsb)));
  out += fmt::format("  rounded {} to {}: {} = {}{}\n",
                     mma.op.c == isa::NumberFormat::f16 ? "to nearest even" : "toward zero", isa::name_of(mma.op.c),
                     bits_text(mma.op.c, block.result), number(isa::element_value(mma.op.c, block.result)),
                     block.rounding_inexact ? " (inexact)" : " (exact)");
  return out;
}

std::string integer_text(const MmaCase& mma, const OutputTrace& trace) {
  std::string out = fmt::format("  {:>6} {:>5}  {:>6} {:>6}  {:>8}\n", "stored", "k", "a", "b", "a*b");
  for (const isa::ProductStep& product : trace.products) {
    // Whole numbers: a double would print -3 x 0 as -0.
    const auto a = static_cast<int>(isa::element_value(mma.op.a, product.a));
    const auto b = static_cast<int>(isa::element_value(mma.op.b, product.b));
    out += fmt::format("  {:>6} {:>5}  {:>6} {:>6}  {:>8}\n", product.stored, product.b_row, a, b, a * b);
  }
  const auto d = static_cast<std::int32_t>(trace.d);
  out += fmt::format("  C = {}; exact sum {}{}\n", static_cast<std::int32_t>(trace.c), trace.exact_sum,
                     trace.exact_sum == d ? ""
                     : mma.op.saturate    ? ", clamped to 32 bits"
                                          : ", wrapped to 32 bits");
  return out;
}

nlohmann::ordered_json matrix_json(isa::NumberFormat format, const std::vector<std::uint32_t>& bits, int columns) {
  auto hex = nlohmann::ordered_json::array(), values = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < bits.size(); i += static_cast<std::size_t>(columns)) {
    auto hex_row = nlohmann::ordered_json::array(), value_row = nlohmann::ordered_json::array();
    for (std::size_t j = i; j < i + static_cast<std::size_t>(columns); ++j) {
      hex_row.push_back(bits_text(format, bits[j]));
      value_row.push_back(isa::element_value(format, bits[j]));  // NaN and infinities become null
    }
    hex.push_back(hex_row);
    values.push_back(value_row);
  }
  return {{"format", isa::name_of(format)}, {"bits", hex}, {"values", values}};
}

}  // namespace

std::string explain_text(const MmaCase& mma, const arith::Numerics& numerics, int row, int column) {
  const OutputTrace trace = isa::trace_output(mma.op, numerics, mma.in, row, column);
  std::string out =
      fmt::format("D[{}][{}] = {} = {}\n", row, column, bits_text(mma.op.c, trace.d), element_text(mma.op.c, trace.d));
  if (isa::is_integer(mma.op.a)) return out + integer_text(mma, trace);
  for (std::size_t block = 0; block < trace.blocks.size(); ++block) out += block_text(mma, trace, block);
  if (trace.c_added_last) {
    out += fmt::format("C = {} is added last, rounded to nearest even: {}\n", element_text(mma.op.c, trace.c),
                       bits_text(mma.op.c, trace.d));
  }
  return out;
}

nlohmann::ordered_json explain_json(const MmaCase& mma, const arith::Numerics& numerics, int row, int column) {
  const OutputTrace trace = isa::trace_output(mma.op, numerics, mma.in, row, column);
  nlohmann::ordered_json out = {
      {"row", row}, {"column", column}, {"c", bits_text(mma.op.c, trace.c)}, {"d", bits_text(mma.op.c, trace.d)}};
  auto products = nlohmann::ordered_json::array();
  for (const isa::ProductStep& product : trace.products) {
    products.push_back({{"stored", product.stored},
                        {"k", product.b_row},
                        {"a", bits_text(mma.op.a, product.a)},
                        {"b", bits_text(mma.op.b, product.b)}});
  }
  out["products"] = products;
  if (isa::is_integer(mma.op.a)) {
    out["exact_sum"] = trace.exact_sum;
    return out;
  }
  out["fraction_bits"] = trace.rules.fraction_bits;
  out["c_added_last"] = trace.c_added_last;
  auto blocks = nlohmann::ordered_json::array();
  for (const arith::BlockTrace& block : trace.blocks) {
    auto terms = nlohmann::ordered_json::array();
    for (const arith::TermTrace& term : block.terms) {
      terms.push_back({{"product", term.index},
                       {"exact", term.exact},
                       {"exponent", term.exponent},
                       {"aligned", term.aligned},
                       {"cut_off", term.lost}});
    }
    blocks.push_back({{"special", block.special},
                      {"alignment_exponent", block.alignment},
                      {"at_floor", block.floored},
                      {"sum", block.sum},
                      {"result", bits_text(mma.op.c, block.result)},
                      {"inexact", block.rounding_inexact},
                      {"terms", terms}});
  }
  out["blocks"] = blocks;
  return out;
}

nlohmann::ordered_json tile_json(const MmaCase& mma) {
  nlohmann::ordered_json out = {{"op", mma.op.name()}};
  if (mma.op.sparse) {
    out["pattern"] = mma.op.pattern.name();
    out["selector"] = mma.selector;
    auto rows = nlohmann::ordered_json::array();
    const auto depth = static_cast<std::ptrdiff_t>(mma.op.stored_k());
    for (auto row = mma.in.select.begin(); row != mma.in.select.end(); row += depth) {
      rows.push_back(std::vector<int>(row, row + depth));
    }
    out["selected_rows"] = rows;
    auto metadata = nlohmann::ordered_json::array();
    for (const std::uint32_t word : mma.e) metadata.push_back(fmt::format("{:08x}", word));
    out["metadata_registers"] = metadata;
  }
  out["a"] = matrix_json(mma.op.a, mma.in.a, mma.op.stored_k());
  out["b"] = matrix_json(mma.op.b, mma.in.b, mma.op.n);
  out["c"] = matrix_json(mma.op.c, mma.in.c, mma.op.n);
  out["d"] = matrix_json(mma.op.c, mma.out, mma.op.n);
  return out;
}

}  // namespace stc::sim
