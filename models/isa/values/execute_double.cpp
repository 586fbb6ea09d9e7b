// SPDX-License-Identifier: Apache-2.0
// Double precision on register pairs: DADD, DMUL, DFMA, DSETP, DMMA.
#include <cmath>

#include "models/isa/values/directed_rounding.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/float_bits.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"

namespace stc::isa {
namespace {

using Doubles = std::array<double, kWarpSize>;

/// With sign modifiers, which leave a NaN as it is.
STC_INLINE void fetch_doubles(const Execution& x, const Operand& o, Doubles& to) {
  Vector sl, sh;
  const std::uint32_t* low = fetch(x, o, sl);
  const std::uint32_t* high = fetch_high(x, o, sh);
  if (o.kind == Operand::Kind::kImmediate) {  // the upper word of the double
    broadcast(o.value, sh);
    high = sh.data();
    low = kZeroVector.data();
  }
  const std::uint64_t keep = o.absolute ? ~std::uint64_t{0} >> 1 : ~std::uint64_t{0};
  const std::uint64_t flip = o.negate ? std::uint64_t{1} << 63 : 0;
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    const std::uint64_t raw = (std::uint64_t{high[i]} << 32) | low[i];
    const bool nan = (raw & (~std::uint64_t{0} >> 1)) > std::uint64_t{0x7ff} << 52;
    to[i] = as_double(nan ? raw : (raw & keep) ^ flip);
  }
}

STC_INLINE void write_doubles(Execution& x, int dest, const Doubles& from) {
  write_lanes(x, dest, [&](std::size_t i) { return static_cast<std::uint32_t>(as_bits64(from[i])); });
  write_lanes(x, pair_high(dest), [&](std::size_t i) { return static_cast<std::uint32_t>(as_bits64(from[i]) >> 32); });
}

/// Where an operand is a NaN it is the result, made quiet. Evidence: an H200.
STC_INLINE void pass_nans(const Doubles& from, Doubles& out) {
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    if (std::isnan(from[i])) out[i] = as_double(as_bits64(from[i]) | kQuiet64);
  }
}

}  // namespace

STC_VECTOR void execute_dadd(Execution& x) {
  const Instruction& in = x.instruction;
  Doubles a, b, out;
  fetch_doubles(x, in.a, a);
  fetch_doubles(x, in.b, b);
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = a[i] + b[i];
  if (in.mod.rounding != Rounding::kNearestEven) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = directed_add(a[i], b[i], in.mod.rounding);
  }
  pass_nans(a, out);
  pass_nans(b, out);
  write_doubles(x, in.dest, out);
}

STC_VECTOR void execute_dmul(Execution& x) {
  const Instruction& in = x.instruction;
  Doubles a, b, out;
  fetch_doubles(x, in.a, a);
  fetch_doubles(x, in.b, b);
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = a[i] * b[i];
  if (in.mod.rounding != Rounding::kNearestEven) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = directed_multiply(a[i], b[i], in.mod.rounding);
  }
  pass_nans(a, out);
  pass_nans(b, out);
  write_doubles(x, in.dest, out);
}

STC_VECTOR void execute_dfma(Execution& x) {
  const Instruction& in = x.instruction;
  Doubles a, b, c, out;
  fetch_doubles(x, in.a, a);
  fetch_doubles(x, in.b, b);
  fetch_doubles(x, in.c, c);
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = __builtin_fma(a[i], b[i], c[i]);
  if (in.mod.rounding != Rounding::kNearestEven) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = directed_fma(a[i], b[i], c[i], in.mod.rounding);
  }
  pass_nans(a, out);
  pass_nans(c, out);
  pass_nans(b, out);
  write_doubles(x, in.dest, out);
}

namespace {

/// -0 is less than +0, a number than a NaN: which of a and b PTX's min.f64 returns.
bool before(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

/// DSETP.MIN and .MAX: the first predicate selects a, the second says that both are NaN (compiled code then makes the
/// result a quiet one).
void execute_dsetp_select(Execution& x, const Doubles& a, const Doubles& b) {
  const Instruction& in = x.instruction;
  const bool minimum = in.mod.compare == Compare::kFalse;
  const LaneMask selected = lanes_where([&](std::size_t i) {
    const double sign = minimum ? 1.0 : -1.0;
    return before(sign * a[i], sign * b[i]);
  });
  const LaneMask neither = lanes_where([&](std::size_t i) { return std::isnan(a[i]) && std::isnan(b[i]); });
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask first = combine(in.mod.bool_op, selected, p);
  const LaneMask second = combine(in.mod.bool_op, neither, p);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

}  // namespace

STC_VECTOR void execute_dsetp(Execution& x) {
  const Instruction& in = x.instruction;
  Doubles a, b;
  fetch_doubles(x, in.a, a);
  fetch_doubles(x, in.b, b);
  if (in.mod.compare == Compare::kFalse || in.mod.compare == Compare::kTrue) return execute_dsetp_select(x, a, b);
  const auto code = static_cast<std::uint32_t>(in.mod.compare);
  const LaneMask t = lanes_where([&](std::size_t i) {
    const std::uint32_t bit = a[i] < b[i] ? 0u : a[i] == b[i] ? 1u : a[i] > b[i] ? 2u : 3u;
    return ((code >> bit) & 1u) != 0;
  });
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask first = combine(in.mod.bool_op, t, p);
  const LaneMask second = combine(in.mod.bool_op, ~t, p);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

namespace {

/// One step of a matrix product: b c a is the order in which NaNs pass. Evidence: an H200, 57,344 sums of four shapes.
double matrix_step(double a, double b, double c) {
  for (const double nan : {b, c, a}) {
    if (std::isnan(nan)) return as_double(as_bits64(nan) | kQuiet64);
  }
  const double sum = __builtin_fma(a, b, c);
  constexpr std::uint64_t kInvalid = std::uint64_t{0xfff8} << 48;
  return std::isnan(sum) ? as_double(kInvalid) : sum;
}

/// Consecutive register pairs of a fragment.
template <std::size_t kCount>
void fetch_fragment(const Execution& x, Operand o, std::size_t count, std::array<Doubles, kCount>& to) {
  for (std::size_t i = 0; i < count; ++i) {
    fetch_doubles(x, o, to[i]);
    if (o.index != kRegisterZero) o.index = static_cast<std::uint8_t>(o.index + 2);
  }
}

}  // namespace

/// m8n8k4 and m16n8k4, k8, k16. Fragments as PTX describes: lane l holds rows l / 4 and l / 4 + 8 of A and D, column
/// l / 4 of B. Each sum is a chain of fused multiply-adds in ascending k. Evidence: an H200, as above. That signs leave
/// NaNs alone, as elsewhere, is an assumption.
void execute_dmma(Execution& x) {
  if (!computes_matrix(x)) return;
  const Instruction& in = x.instruction;
  const auto halves = static_cast<std::size_t>(in.mma.m) / 8, steps = static_cast<std::size_t>(in.mma.k) / 4;
  std::array<Doubles, 8> a;
  std::array<Doubles, 4> b, d;
  fetch_fragment(x, in.a, halves * steps, a);
  fetch_fragment(x, in.b, steps, b);
  fetch_fragment(x, in.c, 2 * halves, d);
  for (std::size_t i = 0; i < 2 * halves; ++i) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const std::size_t row = lane / 4, column = 2 * (lane % 4) + i % 2;
      double& sum = d[i][lane];
      for (std::size_t k = 0; k < 4 * steps; ++k) {
        const double left = a[k / 4 * halves + i / 2][4 * row + k % 4], right = b[k / 4][4 * column + k % 4];
        sum = matrix_step(left, right, sum);
      }
    }
  }
  if (in.dest == kRegisterZero) return;
  for (std::size_t i = 0; i < 2 * halves; ++i) write_doubles(x, in.dest + 2 * static_cast<int>(i), d[i]);
}

}  // namespace stc::isa
