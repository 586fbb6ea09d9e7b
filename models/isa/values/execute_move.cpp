// SPDX-License-Identifier: Apache-2.0
// Moves, selections, predicates, integer comparisons and special registers.
#include "models/isa/state/code_place.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"
#include "models/isa/values/special_register.h"

namespace stc::isa {

STC_VECTOR void execute_mov(Execution& x) {
  const KnownLanes known = known_lanes(x, x.instruction.b);
  if (x.lanes == kAllLanes && known.pattern != nullptr) {
    return write_known(x, x.instruction.dest, known.pattern, known.first);
  }
  Vector sb, out;
  const std::uint32_t* b = fetch(x, x.instruction.b, sb);
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = b[i];
  write(x, x.instruction.dest, out);
}

STC_VECTOR void execute_sel(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, choose;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  spread(predicate_lanes(x.warp, in.source_predicate0), choose);
  const std::uint32_t na = in.a.negate ? ~0u : 0u;
  const std::uint32_t nb = in.b.negate ? ~0u : 0u;
  write_lanes(x, in.dest,
              [&](std::size_t i) { return (((a[i] ^ na) - na) & choose[i]) | (((b[i] ^ nb) - nb) & ~choose[i]); });
}

void execute_s2r(Execution& x) {
  Vector value;
  read_special_register(x, x.instruction.mod.special_register, value);
  write(x, x.instruction.dest, value);
}

void execute_cs2r(Execution& x) {
  const Instruction& in = x.instruction;
  Vector value;
  if (!in.mod.is_64bit) {
    read_special_register(x, in.mod.special_register, value);
    write(x, in.dest, value);
    return;
  }
  const std::uint64_t wide = read_special_register_64(x, in.mod.special_register);
  broadcast(static_cast<std::uint32_t>(wide), value);
  write(x, in.dest, value);
  broadcast(static_cast<std::uint32_t>(wide >> 32), value);
  write(x, pair_high(in.dest), value);
}

STC_VECTOR void execute_p2r(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, bits{};
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  for (std::size_t p = 0; p < 7; ++p) {
    const LaneMask mask = x.warp.p[p];
    for (std::size_t i = 0; i < kWarpSize; ++i) bits[i] |= ((mask >> i) & 1u) << p;
  }
  const unsigned shift = 8u * in.mod.byte_select;
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t mask = (b[i] & 0x7fu) << shift;
    return (a[i] & ~mask) | ((bits[i] << shift) & mask);
  });
}

STC_VECTOR void execute_r2p(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const unsigned shift = 8u * in.mod.byte_select;
  for (unsigned p = 0; p < 7; ++p) {
    const LaneMask written = lanes_where([&](std::size_t i) { return ((b[i] >> p) & 1u) != 0; });
    const LaneMask value = lanes_where([&](std::size_t i) { return ((a[i] >> (shift + p)) & 1u) != 0; });
    LaneMask& to = x.warp.p[p];
    const LaneMask lanes = written & x.lanes;
    to = (to & ~lanes) | (value & lanes);
  }
}

namespace {

template <Compare kCompare>
STC_INLINE LaneMask compare_lanes(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t bias) {
  return lanes_where([&](std::size_t i) { return compare_ordered(kCompare, a[i] ^ bias, b[i] ^ bias); });
}

STC_INLINE LaneMask compare_integers(Compare compare, const std::uint32_t* a, const std::uint32_t* b,
                                     std::uint32_t bias) {
  switch (compare) {
    case Compare::kFalse: return 0;
    case Compare::kLt: return compare_lanes<Compare::kLt>(a, b, bias);
    case Compare::kEq: return compare_lanes<Compare::kEq>(a, b, bias);
    case Compare::kLe: return ~compare_lanes<Compare::kGt>(a, b, bias);
    case Compare::kGt: return compare_lanes<Compare::kGt>(a, b, bias);
    case Compare::kNe: return ~compare_lanes<Compare::kEq>(a, b, bias);
    case Compare::kGe: return ~compare_lanes<Compare::kLt>(a, b, bias);
    default: return kAllLanes;
  }
}

}  // namespace

STC_VECTOR void execute_isetp(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, ca, cb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const auto negated = [](const std::uint32_t*& v, const Operand& o, Vector& copy) {
    if (!o.negate) return;
    for (std::size_t i = 0; i < kWarpSize; ++i) copy[i] = 0u - v[i];
    v = copy.data();
  };
  negated(a, in.a, ca);
  negated(b, in.b, cb);
  LaneMask t = compare_integers(in.mod.compare, a, b, in.mod.is_signed ? 0x80000000u : 0u);
  if (in.mod.extended) {
    // High words of a 64-bit comparison: where they are equal the low words decide.
    const LaneMask equal = compare_lanes<Compare::kEq>(a, b, 0);
    t = (equal & predicate_lanes(x.warp, in.source_predicate2)) | (~equal & t);
  }
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask first = combine(in.mod.bool_op, t, p);
  const LaneMask second = combine(in.mod.bool_op, ~t, p);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

void execute_plop3(Execution& x) {
  const Instruction& in = x.instruction;
  const LaneMask a = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask b = predicate_lanes(x.warp, in.source_predicate1);
  const LaneMask c = predicate_lanes(x.warp, in.source_predicate2);
  const LaneMask first = LogicTable(in.mod.lut)(a, b, c);
  const LaneMask second = LogicTable(in.mod.lut1)(a, b, c);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

/// The inputs are the sign bits of three registers.
void execute_plop3_signs(Execution& x) {
  const Instruction& in = x.instruction;
  const auto signs = [&](const Operand& o) {
    Vector scratch;
    const std::uint32_t* value = fetch(x, o, scratch);
    return lanes_where([&](std::size_t lane) { return (value[lane] >> 31) != 0; });
  };
  const LaneMask a = signs(in.a), b = signs(in.b), c = signs(in.c);
  const LaneMask first = LogicTable(in.mod.lut)(a, b, c);
  const LaneMask second = LogicTable(in.mod.lut1)(a, b, c);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

void execute_lepc(Execution& x) {
  const Instruction& in = x.instruction;
  enum Variant : std::uint16_t { kTarget = 1 };
  const std::uint64_t address = address_of(*x.context.kernel, in.mod.variant == kTarget ? in.target : in.address);
  Vector value;
  broadcast(static_cast<std::uint32_t>(address), value);
  write(x, in.dest, value);
  broadcast(static_cast<std::uint32_t>(address >> 32), value);
  write(x, pair_high(in.dest), value);
}

}  // namespace stc::isa
