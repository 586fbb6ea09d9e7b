// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/atomic_value.h"

#include <cmath>
#include <cstring>

#include "models/isa/values/float_bits.h"

namespace stc::isa {
namespace {

template <class T>
T integer_result(AtomicOp op, T old, T operand, T compare) {
  switch (op) {
    case AtomicOp::kAdd: return static_cast<T>(std::uint64_t(old) + std::uint64_t(operand));
    case AtomicOp::kMin: return operand < old ? operand : old;
    case AtomicOp::kMax: return operand > old ? operand : old;
    case AtomicOp::kInc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::kDec: return old == T{0} || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicOp::kAnd: return static_cast<T>(old & operand);
    case AtomicOp::kOr: return static_cast<T>(old | operand);
    case AtomicOp::kXor: return static_cast<T>(old ^ operand);
    case AtomicOp::kExch: return operand;
    case AtomicOp::kCas: return old == compare ? operand : old;
  }
  return old;
}

/// f32 minimum and maximum of which one operand may be NaN.
std::uint32_t float_result(AtomicOp op, std::uint32_t old, std::uint32_t operand, bool ftz, bool& known) {
  if (op == AtomicOp::kAdd) {
    const std::uint32_t a = ftz ? flush(old) : old, b = ftz ? flush(operand) : operand;
    const std::uint32_t sum = canonical(as_bits(as_float(a) + as_float(b)));
    return ftz ? flush(sum) : sum;
  }
  known = false;
  return old;
}

std::uint32_t packed_result(AtomicOp op, std::uint32_t old, std::uint32_t operand, bool bfloat, bool& known) {
  std::uint32_t result = 0;
  for (unsigned half = 0; half < 32; half += 16) {
    const std::uint32_t p = (old >> half) & 0xffffu, q = (operand >> half) & 0xffffu;
    const float a = as_float(bfloat ? bf16_to_f32(p) : f16_to_f32(p));
    const float b = as_float(bfloat ? bf16_to_f32(q) : f16_to_f32(q));
    float r = 0;
    switch (op) {
      case AtomicOp::kAdd: r = a + b; break;
      case AtomicOp::kMin: r = std::fmin(a, b); break;
      case AtomicOp::kMax: r = std::fmax(a, b); break;
      default: known = false;
    }
    result |= (bfloat ? f32_to_bf16(as_bits(r)) : f32_to_f16(as_bits(r))) << half;
  }
  return result;
}

}  // namespace

std::uint64_t atomic_value(const AtomicForm& form, std::uint64_t old, std::uint64_t operand, std::uint64_t compare,
                           bool& known) {
  const AtomicOp op = form.op;
  const auto o = static_cast<std::uint32_t>(old), v = static_cast<std::uint32_t>(operand),
             c = static_cast<std::uint32_t>(compare);
  switch (form.type) {
    case ScalarType::kF32: return float_result(op, o, v, form.ftz, known);
    case ScalarType::kF16x2: return packed_result(op, o, v, false, known);
    case ScalarType::kBf16x2: return packed_result(op, o, v, true, known);
    case ScalarType::kF64:
      if (op != AtomicOp::kAdd) known = false;
      return as_bits64(as_double(old) + as_double(operand));
    case ScalarType::kS32:
      return static_cast<std::uint32_t>(
          integer_result(op, static_cast<std::int32_t>(o), static_cast<std::int32_t>(v), static_cast<std::int32_t>(c)));
    case ScalarType::kS64:
      return static_cast<std::uint64_t>(integer_result(
          op, static_cast<std::int64_t>(old), static_cast<std::int64_t>(operand), static_cast<std::int64_t>(compare)));
    case ScalarType::kU64: return integer_result(op, old, operand, compare);
    default: return integer_result(op, o, v, c);
  }
}

std::size_t element_bytes(ScalarType type) {
  switch (type) {
    case ScalarType::kU64:
    case ScalarType::kS64:
    case ScalarType::kF64: return 8;
    default: return 4;
  }
}

void reduce_elements(const AtomicForm& form, std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const std::size_t step = element_bytes(form.type);
  bool known = true;  // asked before
  for (std::size_t at = 0; at < bytes; at += step) {
    std::uint64_t old = 0, operand = 0;
    std::memcpy(&old, to + at, step);
    std::memcpy(&operand, from + at, step);
    const std::uint64_t result = atomic_value(form, old, operand, 0, known);
    std::memcpy(to + at, &result, step);
  }
}

void put_part(const std::optional<AtomicForm>& reduction, std::uint8_t* to, const void* from, std::size_t bytes) {
  if (reduction) {
    reduce_elements(*reduction, to, static_cast<const std::uint8_t*>(from), bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace stc::isa
