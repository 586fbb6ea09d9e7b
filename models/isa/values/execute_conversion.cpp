// SPDX-License-Identifier: Apache-2.0
// Conversions between number formats, and MUFU.
#include <cmath>

#include "models/arith/special_function.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/float_bits.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"
#include "models/isa/values/scalar_type.h"

namespace stc::isa {
namespace {

bool wide(ScalarType t) { return t == ScalarType::kF64 || t == ScalarType::kU64 || t == ScalarType::kS64; }

FloatLayout layout_of(ScalarType t) {
  switch (t) {
    case ScalarType::kF16:
    case ScalarType::kF16x2: return kF16;
    case ScalarType::kBf16:
    case ScalarType::kBf16x2: return kBf16;
    case ScalarType::kF64: return kF64;
    default: return kF32;
  }
}

/// Source B of a conversion as 64-bit raw values, one per lane.
struct Source {
  Vector scratch_low, scratch_high;
  const std::uint32_t* low;
  const std::uint32_t* high = kZeroVector.data();
  unsigned shift = 0;  ///< 16: the upper half of the register is converted
  Source(const Execution& x, bool is_wide) : low(fetch(x, x.instruction.b, scratch_low)) {
    const Operand& b = x.instruction.b;
    const ScalarType type = x.instruction.mod.source_type;
    if (type == ScalarType::kF16 || type == ScalarType::kBf16) shift = 8u * x.instruction.mod.byte_select;
    if (!is_wide) return;
    high = fetch_high(x, b, scratch_high);
    if (b.kind == Operand::Kind::kImmediate) high = low, low = kZeroVector.data();  // upper word of a double
  }
  std::uint64_t raw(std::size_t i) const { return ((std::uint64_t{high[i]} << 32) | low[i]) >> shift; }
};

/// A float of any source type as a double (exact), with sign modifiers and FTZ of f32.
double to_double(std::uint64_t raw, ScalarType type, const Operand& o, bool ftz) {
  double value = 0;
  switch (type) {
    case ScalarType::kF16: value = as_float(f16_to_f32(static_cast<std::uint32_t>(raw) & 0xffffu)); break;
    case ScalarType::kBf16: value = as_float(bf16_to_f32(static_cast<std::uint32_t>(raw) & 0xffffu)); break;
    case ScalarType::kF64: value = as_double(raw); break;
    default: {
      const auto bits = static_cast<std::uint32_t>(raw);
      value = as_float(ftz ? flush(bits) : bits);
    }
  }
  if (o.absolute) value = std::fabs(value);
  return o.negate ? -value : value;
}

std::uint64_t from_double(double value, const Modifiers& mod) {
  if (mod.saturate) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;  // NaN becomes zero
  if (mod.dest_type == ScalarType::kF64) return as_bits64(value);
  const std::uint64_t bits = round_double(value, layout_of(mod.dest_type), mod.rounding);
  if (mod.ftz && mod.dest_type == ScalarType::kF32) return flush(static_cast<std::uint32_t>(bits));
  return bits;
}

/// A NaN to or from 64 bits keeps sign and upper payload and becomes quiet; sign modifiers do not touch it. (Between
/// narrower formats it is the one that all operations give.) Evidence: an H200.
bool converts_nan(std::uint64_t raw, const Modifiers& mod, std::uint64_t& result) {
  const auto known = [](ScalarType t) {
    return t == ScalarType::kF16 || t == ScalarType::kBf16 || t == ScalarType::kF32 || t == ScalarType::kF64;
  };
  if (!known(mod.source_type) || !known(mod.dest_type) || mod.saturate) return false;
  if (!wide(mod.source_type) && !wide(mod.dest_type)) return false;
  const FloatLayout from = layout_of(mod.source_type), to = layout_of(mod.dest_type);
  const std::uint64_t exponent = (std::uint64_t{1} << from.exponent_bits) - 1;
  const std::uint64_t fraction = raw & ((std::uint64_t{1} << from.fraction_bits) - 1);
  if (((raw >> from.fraction_bits) & exponent) != exponent || fraction == 0) return false;
  const std::uint64_t sign = (raw >> (from.exponent_bits + from.fraction_bits)) & 1;
  const std::uint64_t payload = (fraction << (kF64.fraction_bits - from.fraction_bits)) | kQuiet64;
  const std::uint64_t top = sign << to.exponent_bits | ((std::uint64_t{1} << to.exponent_bits) - 1);
  result = top << to.fraction_bits | payload >> (kF64.fraction_bits - to.fraction_bits);
  return true;
}

template <class F>
void write_converted(Execution& x, bool is_wide, F f) {
  Vector low, high{};
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    const std::uint64_t v = f(i);
    low[i] = static_cast<std::uint32_t>(v);
    high[i] = static_cast<std::uint32_t>(v >> 32);
  }
  write(x, x.instruction.dest, low);
  if (is_wide) write(x, pair_high(x.instruction.dest), high);
}

/// Clamps to the integer's range; a NaN gives zero or the pattern of the most negative number.
std::uint64_t to_integer(double value, ScalarType type, Rounding rounding, bool nan_is_zero) {
  const int bits = integer_bits(type);
  if (std::isnan(value)) return nan_is_zero ? 0 : std::uint64_t{1} << (bits - 1);
  const double rounded = round_to_integral(value, rounding);
  const double limit = std::ldexp(1.0, signed_integer(type) ? bits - 1 : bits);
  const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (signed_integer(type)) {
    if (rounded >= limit) return ones >> 1;
    if (rounded < -limit) return ~(ones >> 1);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded));
  }
  if (rounded >= limit) return ones;
  return rounded <= 0 ? 0 : static_cast<std::uint64_t>(rounded);
}

}  // namespace

void execute_f2f(Execution& x) {
  const Modifiers& mod = x.instruction.mod;
  const Source source(x, wide(mod.source_type));
  write_converted(x, wide(mod.dest_type), [&](std::size_t i) {
    std::uint64_t nan = 0;
    if (converts_nan(source.raw(i), mod, nan)) return nan;
    return from_double(to_double(source.raw(i), mod.source_type, x.instruction.b, mod.ftz), mod);
  });
}

void execute_frnd(Execution& x) {
  const Modifiers& mod = x.instruction.mod;
  const Source source(x, wide(mod.source_type));
  write_converted(x, wide(mod.dest_type), [&](std::size_t i) {
    std::uint64_t nan = 0;
    if (converts_nan(source.raw(i), mod, nan)) return nan;
    const double value = to_double(source.raw(i), mod.source_type, x.instruction.b, mod.ftz);
    return from_double(round_to_integral(value, mod.rounding), mod);
  });
}

void execute_f2i(Execution& x) {
  const Modifiers& mod = x.instruction.mod;
  const Source source(x, wide(mod.source_type));
  write_converted(x, wide(mod.dest_type), [&](std::size_t i) {
    const double value = to_double(source.raw(i), mod.source_type, x.instruction.b, mod.ftz);
    return to_integer(value, mod.dest_type, mod.rounding, mod.variant == 1);
  });
}

void execute_i2f(Execution& x) {
  const Instruction& in = x.instruction;
  const Modifiers& mod = in.mod;
  const Source source(x, wide(mod.source_type));
  const int bits = integer_bits(mod.source_type);
  const bool is_signed = signed_integer(mod.source_type);
  write_converted(x, wide(mod.dest_type), [&](std::size_t i) {
    std::uint64_t raw = source.raw(i);
    if (bits < 32) raw = (raw >> (bits * mod.byte_select)) & ((1u << bits) - 1u);
    bool negative = is_signed && ((raw >> (bits - 1)) & 1u) != 0;
    std::uint64_t magnitude = raw;
    if (negative) magnitude = 0 - (bits == 64 ? raw : raw | ~((std::uint64_t{1} << bits) - 1));
    if (in.b.absolute) negative = false;
    if (in.b.negate && magnitude != 0) negative = !negative;
    return round_to_format(negative, magnitude, 0, false, layout_of(mod.dest_type), mod.rounding);
  });
}

STC_VECTOR void execute_i2fp(Execution& x) {
  const Instruction& in = x.instruction;
  if (in.mod.rounding != Rounding::kNearestEven || in.mod.dest_type != ScalarType::kF32) {
    execute_i2f(x);
    return;
  }
  Vector sb;
  const std::uint32_t* b = fetch(x, in.b, sb);
  if (signed_integer(in.mod.source_type)) {
    write_lanes(x, in.dest,
                [&](std::size_t i) { return as_bits(static_cast<float>(static_cast<std::int32_t>(b[i]))); });
  } else {
    write_lanes(x, in.dest, [&](std::size_t i) { return as_bits(static_cast<float>(b[i])); });
  }
}

void execute_i2i(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sb;
  const std::uint32_t* b = fetch(x, in.b, sb);
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t v = in.mod.saturate ? clamp_integer(static_cast<std::int32_t>(b[i]), in.mod.dest_type) : b[i];
    return sign_extend_field(v, static_cast<std::uint32_t>(integer_bits(in.mod.dest_type)),
                             signed_integer(in.mod.dest_type), false);
  });
}

namespace {

/// MUFU of one f32 lane, or of the upper word of a double.
std::uint32_t mufu(MufuFunction function, std::uint32_t bits) {
  switch (function) {
    case MufuFunction::kCos: return arith::cosine(bits);
    case MufuFunction::kSin: return arith::sine(bits);
    case MufuFunction::kEx2: return arith::exponential(bits);
    case MufuFunction::kLg2: return arith::logarithm(bits);
    case MufuFunction::kRcp: return arith::reciprocal(bits);
    case MufuFunction::kRsq: return arith::reciprocal_root(bits);
    case MufuFunction::kSqrt: return arith::root(bits);
    case MufuFunction::kTanh: return arith::hyperbolic_tangent(bits);
    case MufuFunction::kRcp64h: return arith::reciprocal_upper_word(bits);
    case MufuFunction::kRsq64h: return arith::reciprocal_root_upper_word(bits);
  }
  return kNan32;
}

/// An f32 as 16 bits: truncated, but what is too large becomes infinite.
std::uint32_t truncated_half(std::uint32_t bits, bool bfloat) {
  const std::uint32_t magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
  if (magnitude > 0x7f800000u) return kNan16;
  if (bfloat) return bits >> 16;
  constexpr std::uint32_t kTooLarge = 0x47800000u;  // 2^16
  if (magnitude >= kTooLarge) return sign | 0x7c00u;
  return static_cast<std::uint32_t>(round_double(as_float(bits), kF16, Rounding::kZero));
}

}  // namespace

namespace {

/// EX2 and TANH of one half of a register; the result is in the lower half.
void mufu_of_halves(Execution& x, const std::uint32_t* b, const SignMasks& m) {
  const Instruction& in = x.instruction;
  const bool bfloat = in.mod.source_type == ScalarType::kBf16;
  const unsigned shift = in.mod.swizzle_b != 0 ? 16 : 0;
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t half = b[i] >> shift & 0xffffu;
    const std::uint32_t v = mufu(in.mod.mufu, m(bfloat ? bf16_to_f32(half) : f16_to_f32(half)));
    const std::uint32_t result = in.mod.saturate ? saturate(v) : v;
    return truncated_half(result, bfloat);
  });
}

}  // namespace

void execute_mufu(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sb;
  const std::uint32_t* b = fetch(x, in.b, sb);
  const SignMasks m(in.b);
  if (in.mod.source_type == ScalarType::kF16 || in.mod.source_type == ScalarType::kBf16) {
    return mufu_of_halves(x, b, m);
  }
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t v = mufu(in.mod.mufu, m(b[i]));
    return in.mod.saturate ? saturate(v) : v;
  });
}

}  // namespace stc::isa
