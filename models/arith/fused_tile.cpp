// SPDX-License-Identifier: Apache-2.0
#include "models/arith/fused_tile.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "models/arith/vector_clones.h"

namespace stc::arith {
namespace {

// One row of eight columns. Vector extensions of GCC and Clang: each clone lowers them to what its CPU has.
using V8d = double __attribute__((vector_size(64)));
using V8l = std::int64_t __attribute__((vector_size(64)));
using V8i = std::int32_t __attribute__((vector_size(32)));

/// Exponent of a zero: never the largest, even added to the largest exponent of another operand.
constexpr std::int32_t kZeroExponent = -20000;

/// Operands after decoding. Exponents of subnormals are the format's least; values are exact.
struct Operand {
  double* value;
  std::int32_t* exponent;
};

/// Decodes `count` elements (a multiple of eight); returns true when one is infinite or NaN.
STC_VECTOR_CLONES bool decode_all(const FloatFormat& format, const std::uint32_t* bits, int count, Operand out) {
  const std::uint32_t fraction_mask = format.fraction_mask(), exponent_mask = format.exponent_mask();
  const int fraction_bits = format.fraction_bits, exponent_bits = format.exponent_bits, bias = format.bias();
  const int ignored = format.ignored_bits;
  // e4m3's only special code is all ones; elsewhere an exponent of all ones is special whatever the fraction.
  const std::uint32_t special_from = (exponent_mask << fraction_bits) | (format.has_infinity ? 0u : fraction_mask);
  const std::uint32_t magnitude_mask = (exponent_mask << fraction_bits) | fraction_mask;
  std::uint32_t special = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t code = bits[i] >> ignored;
    const std::uint32_t magnitude = code & magnitude_mask;
    const auto field = static_cast<std::int32_t>(magnitude >> fraction_bits);
    const auto fraction = static_cast<std::int32_t>(magnitude & fraction_mask);
    const std::int32_t significand = fraction | (field != 0 ? std::int32_t{1} << fraction_bits : 0);
    const std::int32_t exponent = (field != 0 ? field : 1) - bias;
    const bool negative = ((code >> (exponent_bits + fraction_bits)) & 1) != 0;
    special |= magnitude >= special_from ? 1u : 0u;
    out.exponent[i] = magnitude == 0 ? kZeroExponent : exponent;
    const std::int64_t power = static_cast<std::int64_t>(exponent - fraction_bits + 1023) << 52;
    double scale;
    std::memcpy(&scale, &power, sizeof scale);
    out.value[i] = static_cast<double>(negative ? -significand : significand) * scale;
  }
  return special != 0;
}

struct Block {
  int rows, depth;    // of the whole tile
  int first, length;  // stored elements of this block
  int fraction_bits, floor;
};

/// One block of all rows: `c` is replaced by the exact sum (its exponents stay).
STC_VECTOR_CLONES void sum_block(const Block& block, const Operand& a, const V8d* b_value, const V8i* b_exponent,
                                 const std::uint16_t* select, V8d* c_value, const V8i* c_exponent) {
  for (int row = 0; row < block.rows; ++row) {
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * block.depth + block.first;
    const double* a_value = a.value + start;
    const std::int32_t* a_exponent = a.exponent + start;
    const std::uint16_t* b_row = select + start;
    V8i largest = V8i{} + block.floor;
    largest = c_exponent[row] > largest ? c_exponent[row] : largest;
    for (int p = 0; p < block.length; ++p) {
      const V8i exponent = b_exponent[b_row[p]] + a_exponent[p];
      largest = exponent > largest ? exponent : largest;
    }
    const V8l lsb = __builtin_convertvector(largest - block.fraction_bits, V8l);
    const V8d scale = reinterpret_cast<V8d>((1023 - lsb) << 52);
    V8i sum{};
    for (int p = 0; p < block.length; ++p) {
      sum += __builtin_convertvector(b_value[b_row[p]] * a_value[p] * scale, V8i);
    }
    const V8i from_c = __builtin_convertvector(c_value[row] * scale, V8i);
    const V8d total = __builtin_convertvector(sum, V8d) + __builtin_convertvector(from_c, V8d);
    c_value[row] = total * reinterpret_cast<V8d>((1023 + lsb) << 52);
  }
}

/// Rounds exact values toward zero to f32; returns true when one overflows.
STC_VECTOR_CLONES bool round_f32(const double* value, int count, std::uint32_t keep_mask, std::uint32_t* bits) {
  std::uint32_t overflow = 0;
  for (int i = 0; i < count; ++i) {
    std::int64_t raw;
    std::memcpy(&raw, &value[i], sizeof raw);
    const std::int64_t magnitude = raw & 0x7fffffffffffffff;
    const bool subnormal = magnitude < (std::int64_t{1023 - 126} << 52);
    const bool too_large = magnitude >= (std::int64_t{1023 + 128} << 52);
    // A normal f32 is the double with another bias and the low 29 fraction bits dropped.
    const auto normal = static_cast<std::uint32_t>((magnitude >> 29) - (std::int64_t{1023 - 127} << 23));
    const double small = subnormal ? value[i] : 0.0;
    const auto steps = static_cast<std::int32_t>(small * 0x1p149);
    const auto tiny = static_cast<std::uint32_t>(steps < 0 ? -steps : steps);
    std::uint32_t code = (subnormal ? tiny : normal) & keep_mask;
    code = too_large ? 0x7f800000u : code;
    overflow |= too_large ? 1u : 0u;
    bits[i] = code | (raw < 0 && code != 0 ? 0x80000000u : 0u);
  }
  return overflow != 0;
}

/// Rounds exact values to nearest even to f16; returns true when one overflows.
STC_VECTOR_CLONES bool round_f16(const double* value, int count, std::uint32_t* bits) {
  std::uint32_t overflow = 0;
  for (int i = 0; i < count; ++i) {
    std::int64_t raw;
    std::memcpy(&raw, &value[i], sizeof raw);
    const std::int64_t magnitude = raw & 0x7fffffffffffffff;
    const bool subnormal = magnitude < (std::int64_t{1023 - 14} << 52);
    const std::int64_t half = (std::int64_t{1} << 41) - 1 + ((magnitude >> 42) & 1);
    const std::int64_t normal = ((magnitude + half) >> 42) - (std::int64_t{1023 - 15} << 10);
    // Adding 2^28 to a double leaves a least bit of 2^-24, that of an f16 subnormal: the adder rounds.
    double shifted;
    std::memcpy(&shifted, &magnitude, sizeof shifted);
    shifted = (subnormal ? shifted : 0.0) + 0x1p28;
    std::int64_t tiny;
    std::memcpy(&tiny, &shifted, sizeof tiny);
    std::int64_t code = subnormal ? (tiny & 0x7ff) : normal;
    const bool too_large = code >= 0x7c00;
    code = too_large ? 0x7c00 : code;
    overflow |= too_large ? 1u : 0u;
    bits[i] = static_cast<std::uint32_t>(code) | (raw < 0 && code != 0 ? 0x8000u : 0u);
  }
  return overflow != 0;
}

/// Row p of B for stored element p.
struct DenseSelect {
  std::uint16_t row[kMaxTileRows * kMaxTileDepth];
};

void fill_dense(const TileShape& shape, std::uint16_t* select) {
  for (int row = 0; row < shape.rows; ++row) {
    for (int p = 0; p < shape.depth; ++p) *select++ = static_cast<std::uint16_t>(p);
  }
}

/// The sum of a block's products must fit in 32 bits: |product| < 4, so F + 2 bits each.
bool sums_fit(const FusedDotRules& rules) {
  return rules.fraction_bits <= 29 && (std::int64_t{rules.block_length} << (rules.fraction_bits + 2)) <= (1LL << 31) &&
         rules.f32_result_fraction <= 23;
}

}  // namespace

void fused_tile(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                Accumulator accumulator, const TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d) {
  assert(shape.rows <= kMaxTileRows && shape.depth <= kMaxTileDepth && shape.b_rows <= kMaxTileBRows);
  alignas(64) double a_value[kMaxTileRows * kMaxTileDepth];
  alignas(64) std::int32_t a_exponent[kMaxTileRows * kMaxTileDepth];
  V8d b_value[kMaxTileBRows];
  V8i b_exponent[kMaxTileBRows];
  V8d c_value[kMaxTileRows];
  V8i c_exponent[kMaxTileRows];
  const Operand decoded_a{a_value, a_exponent};
  const Operand decoded_b{reinterpret_cast<double*>(b_value), reinterpret_cast<std::int32_t*>(b_exponent)};
  const Operand decoded_c{reinterpret_cast<double*>(c_value), reinterpret_cast<std::int32_t*>(c_exponent)};
  const int outputs = shape.rows * kTileColumns;
  const bool f32 = accumulator == Accumulator::f32;
  const FloatFormat& c_format = f32 ? kF32 : kF16;

  bool reference = !sums_fit(rules);
  reference |= decode_all(a_format, a, shape.rows * shape.depth, decoded_a);
  reference |= decode_all(b_format, b, shape.b_rows * kTileColumns, decoded_b);

  alignas(64) std::uint32_t result[kMaxTileRows * kTileColumns];
  DenseSelect dense;
  const std::uint16_t* rows_of_b = select;
  if (select == nullptr) {
    fill_dense(shape, dense.row);
    rows_of_b = dense.row;
  }
  const std::uint32_t keep_mask = ~0u << (kF32.fraction_bits - std::min(rules.f32_result_fraction, 23));
  const std::uint32_t* block_c = c;
  for (int first = 0; first < shape.depth && !reference; first += rules.block_length) {
    // An accumulator that overflowed in an earlier block decodes as special here.
    reference = decode_all(c_format, block_c, outputs, decoded_c);
    if (reference) break;
    const Block block{shape.rows,
                      shape.depth,
                      first,
                      std::min(rules.block_length, shape.depth - first),
                      rules.fraction_bits,
                      f32 ? rules.exponent_floor_f32 : rules.exponent_floor_f16};
    sum_block(block, decoded_a, b_value, b_exponent, rows_of_b, c_value, c_exponent);
    if (f32) {
      round_f32(decoded_c.value, outputs, keep_mask, result);
    } else {
      round_f16(decoded_c.value, outputs, result);
    }
    block_c = result;
  }
  if (reference) {
    fused_tile_reference(rules, a_format, b_format, accumulator, shape, a, b, select, c, d);
  } else {
    std::memcpy(d, result, static_cast<std::size_t>(outputs) * sizeof(std::uint32_t));
  }
}

void fused_tile_reference(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                          Accumulator accumulator, const TileShape& shape, const std::uint32_t* a,
                          const std::uint32_t* b, const std::uint16_t* select, const std::uint32_t* c,
                          std::uint32_t* d) {
  std::uint32_t chosen[kMaxTileDepth];
  for (int row = 0; row < shape.rows; ++row) {
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * shape.depth;
    for (int column = 0; column < kTileColumns; ++column) {
      for (int p = 0; p < shape.depth; ++p) {
        const int b_row = select == nullptr ? p : select[start + p];
        chosen[p] = b[b_row * kTileColumns + column];
      }
      const int output = row * kTileColumns + column;
      d[output] = fused_dot(rules, a_format, b_format, accumulator, a + start, chosen, shape.depth, c[output]);
    }
  }
}

}  // namespace stc::arith
