// SPDX-License-Identifier: Apache-2.0
// Integer operations of one lane, shared by the vector handlers (in lane loops) and the uniform datapath.
// All arithmetic wraps at 32 bits.
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace stc::isa {

/// Three-input addition with carry count. Negation is ~x + 1, so a subtracted zero carries, as hardware's adder does.
struct AddInputs {
  std::uint32_t not_a = 0, not_b = 0, not_c = 0;  ///< all ones where the operand is inverted
  std::uint32_t ones = 0;                         ///< +1 per negated operand; 0 for .X, where negation is a bitwise NOT
  static AddInputs of(const Instruction& i) {
    AddInputs n;
    n.not_a = i.a.negate ? ~0u : 0u;
    n.not_b = i.b.negate ? ~0u : 0u;
    n.not_c = i.c.negate ? ~0u : 0u;
    if (!i.mod.extended) n.ones = (n.not_a & 1u) + (n.not_b & 1u) + (n.not_c & 1u);
    return n;
  }
};

[[gnu::always_inline]] inline std::uint32_t add3(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                 std::uint32_t carry_in, const AddInputs& n) {
  return (a ^ n.not_a) + (b ^ n.not_b) + (c ^ n.not_c) + carry_in + n.ones;
}
/// sum >> 32 of the same addition.
[[gnu::always_inline]] inline std::uint32_t add3_carries(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                         std::uint32_t carry_in, const AddInputs& n) {
  const std::uint64_t sum = std::uint64_t{a ^ n.not_a} + (b ^ n.not_b) + (c ^ n.not_c) + carry_in + n.ones;
  return static_cast<std::uint32_t>(sum >> 32);
}

/// Any function of three bits; table index (a << 2) | (b << 1) | c. The masks are bit i of the table spread over a
/// word.
struct LogicTable {
  std::uint32_t zero[4];  ///< result for c = 0, by (a << 1) | b
  std::uint32_t flip[4];  ///< ones where c changes it
  explicit LogicTable(std::uint32_t lut) {
    for (unsigned ab = 0; ab < 4; ++ab) {
      const std::uint32_t at0 = 0u - ((lut >> (2 * ab)) & 1u);
      const std::uint32_t at1 = 0u - ((lut >> (2 * ab + 1)) & 1u);
      zero[ab] = at0;
      flip[ab] = at0 ^ at1;
    }
  }
  [[gnu::always_inline]] std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t f00 = zero[0] ^ (flip[0] & c);
    const std::uint32_t f01 = zero[1] ^ (flip[1] & c);
    const std::uint32_t f10 = zero[2] ^ (flip[2] & c);
    const std::uint32_t f11 = zero[3] ^ (flip[3] & c);
    const std::uint32_t f0 = f00 ^ ((f00 ^ f01) & b);
    const std::uint32_t f1 = f10 ^ ((f10 ^ f11) & b);
    return f0 ^ ((f0 ^ f1) & a);
  }
};

/// SHF: the 64-bit value {high:low} shifted, then one of its words.
[[gnu::always_inline]] inline std::uint32_t funnel_shift(std::uint32_t low, std::uint32_t count, std::uint32_t high,
                                                         const Modifiers& mod) {
  const std::uint32_t width = mod.is_64bit ? 64 : 32;
  const std::uint32_t n = mod.wrap ? count & (width - 1) : (count < width ? count : width);
  const std::uint64_t value = (std::uint64_t{high} << 32) | low;
  std::uint64_t shifted = 0;
  if (!mod.right) {
    shifted = n < 64 ? value << (n & 63) : 0;
  } else if (mod.is_signed) {
    const std::uint32_t m = n < 64 ? n : 63;
    shifted = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> m);
  } else {
    shifted = n < 64 ? value >> (n & 63) : 0;
  }
  return static_cast<std::uint32_t>(mod.high ? shifted >> 32 : shifted);
}

/// PRMT: picks four bytes out of {b:a}.
[[gnu::always_inline]] inline std::uint32_t permute(std::uint32_t a, std::uint32_t selector, std::uint32_t b,
                                                    int mode) {
  const std::uint64_t bytes = (std::uint64_t{b} << 32) | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t s = selector & 3u;
    std::uint32_t pick = 0;
    bool sign = false;
    switch (mode) {
      case 1: pick = s + i; break;                    // F4E
      case 2: pick = (s - i) & 7u; break;             // B4E
      case 3: pick = s; break;                        // RC8
      case 4: pick = i < s ? s : i; break;            // ECL
      case 5: pick = i < s ? i : s; break;            // ECR
      case 6: pick = 2 * (s & 1u) + (i & 1u); break;  // RC16
      default: pick = (selector >> (4 * i)) & 7u; sign = ((selector >> (4 * i)) & 8u) != 0;
    }
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * pick)) & 0xffu;
    if (sign) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
}

/// Integer comparison; `a` and `b` carry an inverted sign bit when the comparison is signed.
[[gnu::always_inline]] inline bool compare_ordered(Compare compare, std::uint32_t a, std::uint32_t b) {
  switch (compare) {
    case Compare::kLt: return a < b;
    case Compare::kEq: return a == b;
    case Compare::kLe: return a <= b;
    case Compare::kGt: return a > b;
    case Compare::kNe: return a != b;
    case Compare::kGe: return a >= b;
    case Compare::kFalse: return false;
    default: return true;
  }
}

template <class T>
T combine(BoolOp op, T a, T b) {
  switch (op) {
    case BoolOp::kAnd: return static_cast<T>(a & b);
    case BoolOp::kOr: return static_cast<T>(a | b);
    case BoolOp::kXor: return static_cast<T>(a ^ b);
  }
  return a;
}

/// Position of the most significant bit that differs from the sign (from zero when unsigned); all ones when there is
/// none.
/// `.SH` gives the left shift that would bring the bit to the top instead.
inline std::uint32_t find_leading_one(std::uint32_t value, bool is_signed, bool shift_amount) {
  if (is_signed && (value >> 31) != 0) value = ~value;
  if (value == 0) return ~0u;
  const auto leading = static_cast<std::uint32_t>(__builtin_clz(value));
  return shift_amount ? leading : 31u - leading;
}

inline std::uint32_t reverse_bits(std::uint32_t v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(v);
}

/// SGXT: keeps the low `bits` bits, sign- or zero-extended; a count above 31 clamps (or wraps with .W).
inline std::uint32_t sign_extend_field(std::uint32_t value, std::uint32_t bits, bool is_signed, bool wrap) {
  bits = wrap ? bits & 31u : (bits < 32 ? bits : 32u);
  if (bits >= 32) return value;
  if (bits == 0) return 0;
  const std::uint32_t kept = value & ((1u << bits) - 1u);
  return is_signed && ((kept >> (bits - 1)) & 1u) != 0 ? kept | ~((1u << bits) - 1u) : kept;
}

/// BMSK: `width` ones from bit `position` up.
inline std::uint32_t bit_mask(std::uint32_t position, std::uint32_t width, bool wrap) {
  if (wrap) {
    position &= 31u;
    width &= 31u;
  } else if (position >= 32) {
    return 0;
  }
  const std::uint32_t ones = width >= 32 ? ~0u : (1u << width) - 1u;
  return ones << position;
}

/// IDP: four 8-bit products, or two 16 x 8-bit products with the low or high byte pair of `b`, added to `c`.
inline std::uint32_t dot_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed, bool b_signed,
                               int variant) {
  const auto byte = [](std::uint32_t v, int i, bool is_signed) {
    const auto raw = static_cast<std::uint8_t>(v >> (8 * i));
    return is_signed ? static_cast<std::int32_t>(static_cast<std::int8_t>(raw)) : static_cast<std::int32_t>(raw);
  };
  const auto half = [](std::uint32_t v, int i, bool is_signed) {
    const auto raw = static_cast<std::uint16_t>(v >> (16 * i));
    return is_signed ? static_cast<std::int32_t>(static_cast<std::int16_t>(raw)) : static_cast<std::int32_t>(raw);
  };
  std::uint32_t sum = c;
  if (variant == 0) {
    for (int i = 0; i < 4; ++i) sum += static_cast<std::uint32_t>(byte(a, i, a_signed) * byte(b, i, b_signed));
  } else {
    const int first = variant == 2 ? 2 : 0;
    for (int i = 0; i < 2; ++i) sum += static_cast<std::uint32_t>(half(a, i, a_signed) * byte(b, first + i, b_signed));
  }
  return sum;
}

}  // namespace stc::isa
