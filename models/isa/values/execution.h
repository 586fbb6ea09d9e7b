// SPDX-License-Identifier: Apache-2.0
// What the handlers of the opcodes share: operand fetch, masked write-back, lane loops.
// An operand is fetched as a pointer to 32 lanes: a register in place, anything else broadcast into the caller's
// scratch.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/isa/values/execute.h"
#include "models/isa/values/fault.h"
#include "models/isa/values/unused_data.h"

// Handlers are compiled twice, for any x86-64 and for AVX2 with FMA; the loader picks. Sanitizers cannot run the
// selection, which happens before they are set up.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STC_VECTOR __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define STC_VECTOR
#endif
#define STC_INLINE [[gnu::always_inline]] inline

namespace stc::isa {

constexpr LaneMask kAllLanes = 0xffffffffu;
alignas(64) inline constexpr Vector kZeroVector{};
alignas(64) inline constexpr Vector kLaneIndex{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                               16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// Eight lanes side by side: what is written with them becomes vector instructions whatever the compiler makes of
/// loops.
typedef std::uint32_t EightLanes __attribute__((vector_size(32)));
constexpr std::size_t kEight = 8;
/// Bit per lane of the first eight.
constexpr EightLanes kLaneBits{1, 2, 4, 8, 16, 32, 64, 128};
#define STC_LOAD_EIGHT(to, from) std::memcpy(&(to), (from), sizeof(EightLanes))
#define STC_STORE_EIGHT(to, from) std::memcpy((to), &(from), sizeof(EightLanes))
#define STC_OR_EIGHT(v) ((v)[0] | (v)[1] | (v)[2] | (v)[3] | (v)[4] | (v)[5] | (v)[6] | (v)[7])

/// One instruction being executed.
struct Execution {
  const Instruction& instruction;
  WarpState& warp;
  ExecuteContext& context;
  ExecuteResult& result;
  LaneMask lanes;          ///< guard true and lane active
  bool advance_pc = true;  ///< handlers of control flow clear it and set the pc themselves
};

using Handler = void (*)(Execution&);

/// Whether the bytes that the instruction moves are used by somebody.
STC_INLINE bool moves_data(const Execution& x) {
  return x.context.unused == nullptr || !x.context.unused->moved_by(x.instruction);
}

/// Who asks, for what is found when the instruction is over.
inline IssuedBy issued_by(const Execution& x) { return {&x.instruction, x.warp.cta->index, x.warp.index_in_cta}; }

[[noreturn]] void register_fault(const Execution& x, int index);
[[noreturn]] void bindless_fault(const Execution& x);
/// Whether the values of a matrix instruction are wanted; a fault unless all lanes take part in it.
bool computes_matrix(const Execution& x);

/// Bytes [offset, offset + bytes) of a constant bank; faults when they are not there.
const std::uint8_t* constant_data(const Execution& x, int bank, std::uint32_t offset, std::uint32_t bytes);
/// For indexed reads, whose place no decoder knows: a fault where they find something of the launch that is not
/// modelled.
void require_launch_word(const Execution& x, int bank, std::uint32_t offset);

STC_INLINE std::uint32_t load32(const std::uint8_t* p) {
  std::uint32_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

STC_INLINE std::uint32_t constant32(const Execution& x, int bank, std::uint32_t offset) {
  const auto& bank0 = x.warp.cta->constant0;
  if (bank == 0 && std::uint64_t{offset} + 4 <= bank0.size()) return load32(bank0.data() + offset);
  return load32(constant_data(x, bank, offset, 4));
}

/// Register to read; RZ reads as zero.
STC_INLINE const Vector& source_register(const Execution& x, int index) {
  if (index == kRegisterZero) return kZeroVector;
  if (static_cast<std::size_t>(index) >= x.warp.r.size()) register_fault(x, index);
  const Registers& r = x.warp.r;
  return r[static_cast<std::size_t>(index)];
}

/// Register number of the upper half of a 64-bit pair.
STC_INLINE int pair_high(int index) { return index == kRegisterZero ? kRegisterZero : index + 1; }

/// Scalar value of an operand that is the same in all lanes (not a register); `word` selects the half of a pair.
STC_INLINE std::uint32_t scalar_operand(const Execution& x, const Operand& o, std::uint32_t word = 0) {
  switch (o.kind) {
    case Operand::Kind::kUniform:
      return o.index == kUniformZero ? 0u : x.warp.ur[static_cast<std::size_t>((o.index + word) & 63u)];
    case Operand::Kind::kImmediate: return o.value;
    case Operand::Kind::kConstant: return constant32(x, o.bank, o.value + 4 * word);
    case Operand::Kind::kConstantUniformBase: bindless_fault(x);
    case Operand::Kind::kRegister:
    case Operand::Kind::kNone: break;
  }
  return 0;
}

STC_INLINE void broadcast(std::uint32_t value, Vector& to) {
  for (int i = 0; i < kWarpSize; ++i) to[static_cast<std::size_t>(i)] = value;
}

/// 32 raw lanes of an operand, sign and absolute-value modifiers not applied.
STC_INLINE const std::uint32_t* fetch(const Execution& x, const Operand& o, Vector& scratch) {
  if (o.kind == Operand::Kind::kRegister) return source_register(x, o.index).data();
  if (o.kind == Operand::Kind::kNone) return kZeroVector.data();
  broadcast(scalar_operand(x, o), scratch);
  return scratch.data();
}

/// Upper halves of a 64-bit operand: the next register, the next constant word. A 32-bit immediate is sign-extended on
/// demand.
STC_INLINE const std::uint32_t* fetch_high(const Execution& x, const Operand& o, Vector& scratch,
                                           bool sign_extend = false) {
  if (o.kind == Operand::Kind::kRegister) return source_register(x, pair_high(o.index)).data();
  if (o.kind == Operand::Kind::kNone) return kZeroVector.data();
  if (o.kind == Operand::Kind::kImmediate) {
    broadcast(sign_extend && (o.value >> 31) != 0 ? ~0u : 0u, scratch);
  } else {
    broadcast(scalar_operand(x, o, 1), scratch);
  }
  return scratch.data();
}

/// What is known of the lanes of an operand; signs not applied.
struct KnownLanes {
  const LanePattern* pattern = nullptr;  ///< null: nothing
  std::uint32_t first = 0;
  bool uniform() const { return pattern == &kUniformPattern; }
};
STC_INLINE KnownLanes known_lanes(const Execution& x, int index) {
  if (index == kRegisterZero) return {&kUniformPattern, 0};
  if (static_cast<std::size_t>(index) >= x.warp.r.size()) register_fault(x, index);
  const Registers::Known known = x.warp.r.known(static_cast<std::size_t>(index));
  return {known.pattern, known.first};
}
STC_INLINE KnownLanes known_lanes(const Execution& x, const Operand& o) {
  if (o.kind == Operand::Kind::kRegister) return known_lanes(x, o.index);
  return {&kUniformPattern, scalar_operand(x, o)};
}

/// Writes all lanes of a register.
STC_INLINE void write_known(Execution& x, int index, const LanePattern* pattern, std::uint32_t first) {
  if (index == kRegisterZero) return;
  if (static_cast<std::size_t>(index) >= x.warp.r.size()) register_fault(x, index);
  x.warp.r.know(static_cast<std::size_t>(index), pattern, first);
}
/// Of a register whose lanes were all written just now: looks for their pattern, unless that is mostly in vain.
STC_INLINE void look_for_pattern(Execution& x, int index) {
  constexpr std::uint32_t kMostMissed = 10000;
  if (index == kRegisterZero || x.lanes != kAllLanes || x.context.patterns_missed > kMostMissed) return;
  const Registers& r = x.warp.r;
  const LanePattern* const pattern = pattern_of(r[static_cast<std::size_t>(index)]);
  if (pattern == nullptr) {
    ++x.context.patterns_missed;
  } else {
    x.warp.r.note(static_cast<std::size_t>(index), pattern);
  }
}

STC_INLINE LaneMask predicate_lanes(const WarpState& warp, const PredicateOperand& p) {
  const LaneMask value = p.uniform ? (warp.up[p.index & 7u] ? kAllLanes : 0u) : warp.p[p.index & 7u];
  return p.negate ? ~value : value;
}

STC_INLINE bool uniform_predicate(const WarpState& warp, const PredicateOperand& p) {
  // Uniform instructions name UPx whether or not the decoder marks the operand.
  return warp.up[p.index & 7u] != p.negate;
}

/// All ones in the lanes of `mask`, zero elsewhere.
STC_INLINE void spread(LaneMask mask, Vector& to) {
  for (int i = 0; i < kWarpSize; ++i) {
    const auto u = static_cast<std::size_t>(i);
    to[u] = 0u - ((mask >> u) & 1u);
  }
}

/// Gathers bit 0 of each lane into a mask.
STC_INLINE LaneMask gather_bits(const Vector& flags) {
  LaneMask mask = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const auto u = static_cast<std::size_t>(i);
    mask |= (flags[u] & 1u) << u;
  }
  return mask;
}

STC_INLINE Vector& dest_register(Execution& x, int index) {
  if (static_cast<std::size_t>(index) >= x.warp.r.size()) register_fault(x, index);
  return x.warp.r[static_cast<std::size_t>(index)];
}

/// Writes the executing lanes of a register; RZ swallows the value.
STC_INLINE void write(Execution& x, int index, const Vector& value) {
  if (index == kRegisterZero) return;
  Vector& to = dest_register(x, index);
  if (x.lanes == kAllLanes) {
    to = value;
    return;
  }
  const LaneMask lanes = x.lanes;
  for (int i = 0; i < kWarpSize; ++i) {
    const auto u = static_cast<std::size_t>(i);
    const std::uint32_t keep = 0u - (~(lanes >> u) & 1u);
    to[u] = (to[u] & keep) | (value[u] & ~keep);
  }
}

STC_INLINE void write_predicate(Execution& x, int index, LaneMask value) {
  if (index == kPredicateTrue) return;
  LaneMask& to = x.warp.p[static_cast<std::size_t>(index & 7)];
  to = (to & ~x.lanes) | (value & x.lanes);
}

STC_INLINE void write_uniform(Execution& x, int index, std::uint32_t value) {
  if (index >= kUniformZero || x.lanes == 0) return;
  x.warp.ur[static_cast<std::size_t>(index)] = value;
}

STC_INLINE void write_uniform_predicate(Execution& x, int index, bool value) {
  if (index == kPredicateTrue || x.lanes == 0) return;
  x.warp.up[static_cast<std::size_t>(index & 7)] = value;
}

/// Loops over the lanes; `f(i)` gives lane i of the result.
template <class F>
STC_INLINE void write_lanes(Execution& x, int index, F f) {
  alignas(64) Vector out;
  for (int i = 0; i < kWarpSize; ++i) out[static_cast<std::size_t>(i)] = f(static_cast<std::size_t>(i));
  write(x, index, out);
}

/// Loops over the lanes; `f(i)` gives the predicate of lane i as 0 or 1.
template <class F>
STC_INLINE LaneMask lanes_where(F f) {
  alignas(64) Vector flags;
  for (int i = 0; i < kWarpSize; ++i) flags[static_cast<std::size_t>(i)] = f(static_cast<std::size_t>(i)) ? 1u : 0u;
  return gather_bits(flags);
}

/// Sign handling of a floating-point operand of 32 bits as two masks, so that lane loops need no branches.
struct SignMasks {
  std::uint32_t keep;
  std::uint32_t flip;
  explicit SignMasks(const Operand& o)
      : keep(o.absolute ? 0x7fffffffu : 0xffffffffu), flip(o.negate ? 0x80000000u : 0u) {}
  std::uint32_t operator()(std::uint32_t bits) const { return (bits & keep) ^ flip; }
};

}  // namespace stc::isa
