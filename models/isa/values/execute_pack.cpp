// SPDX-License-Identifier: Apache-2.0
// Conversions to narrow formats that leave several results in one register: F2FP, I2IP, F2IP.
// The same bits as an H200 for every pair of formats that PTX can ask for, NaN and infinities included.
#include <cmath>

#include "models/isa/values/execution.h"
#include "models/isa/values/float_bits.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"
#include "models/isa/values/scalar_type.h"

namespace stc::isa {
namespace {

/// Below zero becomes +0; a NaN stays what it is.
std::uint32_t rectified(std::uint32_t bits) { return (bits >> 31) != 0 && !is_nan(bits) ? 0u : bits; }

/// The largest numbers of 16 bits, as f32.
constexpr std::uint32_t kMostF16 = 0x477fe000u, kMostBf16 = 0x7f7f0000u, kInfinity = 0x7f800000u;

/// What lies beyond `most`, infinities included, becomes that with its sign; a NaN stays.
std::uint32_t no_larger(std::uint32_t bits, std::uint32_t most) {
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  return magnitude > most && magnitude <= kInfinity ? (bits & 0x80000000u) | most : bits;
}

/// The 13 fraction bits that TF32 does not have are rounded away; an infinity keeps its sign, a NaN does not.
std::uint32_t f32_to_tf32(std::uint32_t bits, Rounding rounding) {
  constexpr std::uint32_t kDropped = 0x1fffu;
  if (is_nan(bits)) return 0x7fffe000u;
  const std::uint32_t half = rounding == Rounding::kZero ? 0u : (kDropped >> 1) + (bits >> 13 & 1u);
  return (bits + half) & ~kDropped;
}

/// `a` and `b` above and below each other in the low bits, the third source in the bits that are left.
struct Pack {
  std::uint32_t bits, ones;
  bool keeps_third;
  explicit Pack(ScalarType type)
      : bits(static_cast<std::uint32_t>(integer_bits(type)) & 31u),  // 2 to 16
        ones((1u << bits) - 1u),
        keeps_third(bits < 16) {}
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t third) const {
    return (b & ones) | (a & ones) << bits | (keeps_third ? third << 2 * bits : 0u);
  }
};

/// A float rounded to an integer and clamped; a NaN becomes zero.
std::uint32_t float_to_small_integer(std::uint32_t bits, const Modifiers& mod) {
  if (is_nan(bits)) return 0;
  const double rounded = round_to_integral(as_float(bits), mod.rounding);
  const double inside = rounded < -32768.0 ? -32768.0 : rounded > 32767.0 ? 32767.0 : rounded;
  return clamp_integer(static_cast<std::int32_t>(inside), mod.dest_type);
}

}  // namespace

STC_VECTOR void execute_f2fp(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const SignMasks ma(in.a), mb(in.b);
  const bool relu = in.mod.relu;
  const std::uint32_t most = !in.mod.saturate ? kInfinity : in.mod.pack_bf16 ? kMostBf16 : kMostF16;
  const auto bounded = [=](std::uint32_t v) { return no_larger(relu ? rectified(v) : v, most); };
  if (in.mod.rounding == Rounding::kNearestEven) {
    if (in.mod.pack_bf16) {
      write_lanes(x, in.dest,
                  [&](std::size_t i) { return f32_to_bf16(bounded(ma(a[i]))) << 16 | f32_to_bf16(bounded(mb(b[i]))); });
    } else {
      write_lanes(x, in.dest,
                  [&](std::size_t i) { return f32_to_f16(bounded(ma(a[i]))) << 16 | f32_to_f16(bounded(mb(b[i]))); });
    }
    return;
  }
  const FloatLayout layout = in.mod.pack_bf16 ? kBf16 : kF16;
  const auto narrow = [&](std::uint32_t v) {
    return static_cast<std::uint32_t>(round_double(as_float(bounded(v)), layout, in.mod.rounding));
  };
  write_lanes(x, in.dest, [&](std::size_t i) { return narrow(ma(a[i])) << 16 | narrow(mb(b[i])); });
}

STC_VECTOR void execute_f2fp_tf32(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sb;
  const std::uint32_t* b = fetch(x, in.b, sb);
  write_lanes(x, in.dest,
              [&](std::size_t i) { return f32_to_tf32(in.mod.relu ? rectified(b[i]) : b[i], in.mod.rounding); });
}

void execute_i2ip(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const Pack pack(in.mod.dest_type);
  const auto clamped = [&](std::uint32_t v) { return clamp_integer(static_cast<std::int32_t>(v), in.mod.dest_type); };
  const unsigned half = in.mod.byte_select != 0 ? 16 : 0;
  write_lanes(x, in.dest, [&](std::size_t i) { return pack(clamped(a[i]), clamped(b[i]), c[i] >> half); });
}

void execute_f2ip(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const Pack pack(in.mod.dest_type);
  write_lanes(x, in.dest, [&](std::size_t i) {
    return pack(float_to_small_integer(a[i], in.mod), float_to_small_integer(b[i], in.mod), c[i]);
  });
}

}  // namespace stc::isa
