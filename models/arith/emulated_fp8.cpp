// SPDX-License-Identifier: Apache-2.0
#include "models/arith/emulated_fp8.h"

#include <array>
#include <cmath>
#include <vector>

#include "models/arith/convert.h"

namespace stc::arith {
namespace {

std::vector<std::uint32_t> to_f16(const FloatFormat& format, const std::uint32_t* bits, std::size_t count) {
  std::array<std::uint32_t, 256> f16;
  for (std::uint32_t code = 0; code < f16.size(); ++code) f16[code] = from_float(kF16, to_float(format, code));
  std::vector<std::uint32_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = f16[bits[i] & 0xff];
  return out;
}

/// FADD or HADD2: IEEE addition, one rounding. The sum of two f16 is exact in f32.
std::uint32_t add(Accumulator accumulator, std::uint32_t x, std::uint32_t y) {
  const FloatFormat& format = accumulator == Accumulator::f32 ? kF32 : kF16;
  const float sum = to_float(format, x) + to_float(format, y);
  if (std::isnan(sum)) return accumulator == Accumulator::f32 ? kNanF32 : kNanF16;
  return accumulator == Accumulator::f32 ? bits_of_float(sum) : from_float(kF16, sum);
}

}  // namespace

void emulated_fp8_tile(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                       Accumulator accumulator, const TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d) {
  const auto outputs = static_cast<std::size_t>(shape.rows) * kTileColumns;
  const auto a16 = to_f16(a_format, a, static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.depth));
  const auto b16 = to_f16(b_format, b, static_cast<std::size_t>(shape.b_rows) * kTileColumns);
  std::vector<std::uint32_t> sum(outputs, 0);
  for (int half = 0; half < 2; ++half) {
    std::vector<std::uint32_t> a_half;
    std::vector<std::uint16_t> rows;
    for (int row = 0; row < shape.rows; ++row) {
      for (int p = 0; p < shape.depth; ++p) {
        if ((p % 4) / 2 != half) continue;
        const auto i = static_cast<std::size_t>(row * shape.depth + p);
        a_half.push_back(a16[i]);
        rows.push_back(select == nullptr ? static_cast<std::uint16_t>(p) : select[i]);
      }
    }
    const TileShape half_shape{shape.rows, shape.depth / 2, shape.b_rows};
    fused_tile(rules, kF16, kF16, accumulator, half_shape, a_half.data(), b16.data(), rows.data(), sum.data(),
               sum.data());
  }
  for (std::size_t i = 0; i < outputs; ++i) d[i] = add(accumulator, c[i], sum[i]);
}

}  // namespace stc::arith
