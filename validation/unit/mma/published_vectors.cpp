// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/mma/published_vectors.h"

#include <stdexcept>
#include <vector>

#include "models/arith/convert.h"
#include "models/arith/fused_tile.h"
#include "models/isa/products/execute_mma.h"
#include "sim/base/text.h"
#include "validation/gpus.h"

namespace stc::validation {
namespace {

struct Format {
  arith::FloatFormat format;
  const char* op;  // instruction without the accumulator's name
  int depth;
};

Format input_format(const std::string& name) {
  if (name == "fp16") return {arith::kF16, "mma.m16n8k16.%.f16.f16.%", 16};
  if (name == "bf16") return {arith::kBf16, "mma.m16n8k16.%.bf16.bf16.%", 16};
  if (name == "tf32") return {arith::kTf32, "mma.m16n8k8.%.tf32.tf32.%", 8};
  if (name == "E4M3") return {arith::kE4m3, "mma.m16n8k32.%.e4m3.e4m3.%", 32};
  if (name == "E5M2") return {arith::kE5m2, "mma.m16n8k32.%.e5m2.e5m2.%", 32};
  throw std::runtime_error("unknown input format " + name);
}

std::string op_name(const Format& input, bool f16_result) {
  std::string name;
  for (const char* c = input.op; *c != 0; ++c)
    name += *c == '%' ? std::string(f16_result ? "f16" : "f32") : std::string(1, *c);
  return name;
}

}  // namespace

Rules rules_of(const std::string& row) {
  return {row.rfind("A100", 0) == 0 ? a100().numerics : h200().numerics, {32, 13, -133, -21, 13}};
}

Replay replay(const std::string& row, const Rules& rules) {
  const auto cells = sim::split(row, ',');
  const Format input = input_format(cells.at(1));
  const bool f16_result = cells.at(2) == "fp16";
  const auto count = static_cast<std::size_t>(std::stoi(cells.at(3)));
  const arith::FloatFormat& c_format = f16_result ? arith::kF16 : arith::kF32;
  if (cells.size() != 8 + 2 * count) throw std::runtime_error("wrong number of cells: " + row);
  const auto bits = [&](std::size_t cell) {
    return static_cast<std::uint32_t>(std::stoul(cells.at(cell), nullptr, 16));
  };
  const auto code = [&](const arith::FloatFormat& format, std::size_t cell) {
    return arith::from_float(format, arith::float_of_bits(bits(cell)));
  };

  const auto depth = static_cast<std::size_t>(input.depth);
  std::vector<std::uint32_t> a(16 * depth), b(depth * 8), c(128), d(128);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t i = 0; i < 16; ++i) a[i * depth + p] = code(input.format, 6 + p);
    for (std::size_t j = 0; j < 8; ++j) b[p * 8 + j] = code(input.format, 6 + count + p);
  }
  c.assign(128, code(c_format, 6 + 2 * count));
  if (cells.at(4).rfind("wgmma", 0) == 0) {
    arith::fused_tile(rules.fp8, input.format, input.format, arith::Accumulator::f32, {16, input.depth, input.depth},
                      a.data(), b.data(), nullptr, c.data(), d.data());
  } else {
    isa::mma_matrices(isa::parse_mma_name(op_name(input, f16_result)), rules.numerics, a.data(), b.data(), nullptr,
                      c.data(), d.data());
  }
  Replay result{bits(7 + 2 * count), 0};
  for (const std::uint32_t output : d) {
    result.computed = arith::bits_of_float(arith::to_float(c_format, output));
    if (result.computed != result.expected) break;
  }
  return result;
}

}  // namespace stc::validation
