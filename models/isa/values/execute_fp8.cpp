// SPDX-License-Identifier: Apache-2.0
// F2FP with 8-bit floats: what sm_90 makes of e4m3 and e5m2 around matrix operations on halves.
// Unpacking is exact. Packing rounds to nearest even; the place of c in the result follows I2IP.
#include <cmath>
#include <limits>

#include "models/arith/convert.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

const arith::FloatFormat& format_of(ScalarType type) {
  switch (type) {
    case ScalarType::kE4m3: return arith::kE4m3;
    case ScalarType::kE5m2: return arith::kE5m2;
    case ScalarType::kBf16x2: return arith::kBf16;
    default: return arith::kF16;
  }
}

/// The 16 bits that `byte_select` names.
std::uint32_t half_of(std::uint32_t word, std::uint8_t byte_select) {
  return byte_select == 2 ? word >> 16 : word & 0xffff;
}

/// -0 becomes +0 too; a NaN stays one.
float relu(float value, bool on) { return on && value <= 0 ? 0.0f : value; }

std::uint32_t pack_byte(float value, const Modifiers& mod) {
  const arith::FloatFormat& format = format_of(mod.dest_type);
  if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();  // its sign is lost
  const std::uint32_t byte = arith::from_float(format, relu(value, mod.relu));
  const bool infinite = mod.dest_type == ScalarType::kE5m2 && (byte & 0x7f) == 0x7c;
  return infinite && mod.saturate ? byte - 1 : byte;
}

}  // namespace

void execute_f2fp_unpack_fp8(Execution& x) {
  const Instruction& in = x.instruction;
  Vector scratch;
  const std::uint32_t* b = fetch(x, in.b, scratch);
  const arith::FloatFormat& from = format_of(in.mod.source_type);
  const arith::FloatFormat& to = format_of(in.mod.dest_type);
  const auto widen = [&](std::uint32_t byte) {
    return arith::from_float(to, relu(arith::to_float(from, byte), in.mod.relu));
  };
  write_lanes(x, in.dest, [&](std::size_t lane) {
    const std::uint32_t pair = half_of(b[lane], in.mod.byte_select);
    return widen(pair >> 8) << 16 | widen(pair & 0xff);
  });
}

void execute_f2fp_pack_fp8(Execution& x) {
  const Instruction& in = x.instruction;
  Vector scratch_a, scratch_b, scratch_c;
  const std::uint32_t* a = fetch(x, in.a, scratch_a);
  const std::uint32_t* b = fetch(x, in.b, scratch_b);
  const std::uint32_t* c = fetch(x, in.c, scratch_c);
  const bool of_halves = in.mod.source_type == ScalarType::kF16x2;
  write_lanes(x, in.dest, [&](std::size_t lane) {
    const auto half = [&](unsigned shift) { return arith::to_float(arith::kF16, b[lane] >> shift & 0xffffu); };
    const std::uint32_t high = pack_byte(of_halves ? half(16) : arith::float_of_bits(a[lane]), in.mod);
    const std::uint32_t low = pack_byte(of_halves ? half(0) : arith::float_of_bits(b[lane]), in.mod);
    return half_of(c[lane], in.mod.byte_select) << 16 | high << 8 | low;
  });
}

}  // namespace stc::isa
