// SPDX-License-Identifier: Apache-2.0
// Exchange between the lanes of a warp: SHFL, VOTE, MATCH, REDUX, ELECT, R2UR.
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {

STC_VECTOR void execute_shfl(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* value = fetch(x, in.a, sa);
  const std::uint32_t* argument = fetch(x, in.b, sb);
  const std::uint32_t* control = fetch(x, in.c, sc);
  Vector from, valid;
  // Segments by the mask in bits 12:8, clamp in bits 4:0, as PTX describes shfl.
  const auto each_lane = [&](auto source) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const auto lane = static_cast<std::uint32_t>(i);
      const std::uint32_t segment = (control[i] >> 8) & 31u;
      const std::uint32_t low = lane & segment;
      const std::uint32_t limit = low | (control[i] & 31u & ~segment);
      source(i, lane, argument[i] & 31u, low, segment, limit);
    }
  };
  switch (in.mod.shuffle) {
    case ShuffleMode::kIdx:
      each_lane([&](std::size_t i, std::uint32_t, std::uint32_t b, std::uint32_t low, std::uint32_t segment,
                    std::uint32_t limit) {
        from[i] = low | (b & ~segment);
        valid[i] = from[i] <= limit ? 1u : 0u;
      });
      break;
    case ShuffleMode::kUp:
      each_lane(
          [&](std::size_t i, std::uint32_t lane, std::uint32_t b, std::uint32_t, std::uint32_t, std::uint32_t limit) {
            from[i] = lane - b;
            valid[i] = static_cast<std::int32_t>(lane - b) >= static_cast<std::int32_t>(limit) ? 1u : 0u;
          });
      break;
    case ShuffleMode::kDown:
      each_lane(
          [&](std::size_t i, std::uint32_t lane, std::uint32_t b, std::uint32_t, std::uint32_t, std::uint32_t limit) {
            from[i] = lane + b;
            valid[i] = from[i] <= limit ? 1u : 0u;
          });
      break;
    case ShuffleMode::kBfly:
      each_lane(
          [&](std::size_t i, std::uint32_t lane, std::uint32_t b, std::uint32_t, std::uint32_t, std::uint32_t limit) {
            from[i] = lane ^ b;
            valid[i] = from[i] <= limit ? 1u : 0u;
          });
      break;
  }
  Vector out;
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = value[valid[i] != 0 ? from[i] & 31u : i];
  const LaneMask in_range = gather_bits(valid);
  write(x, in.dest, out);
  write_predicate(x, in.dest_predicate0, in_range);
}

namespace {

struct Ballot {
  LaneMask mask;
  bool result;
};

Ballot vote(const Execution& x) {
  const LaneMask mask = predicate_lanes(x.warp, x.instruction.source_predicate0) & x.lanes;
  switch (x.instruction.mod.vote) {
    case VoteMode::kAll: return {mask, mask == x.lanes};
    case VoteMode::kAny: return {mask, mask != 0};
    case VoteMode::kEq: return {mask, mask == 0 || mask == x.lanes};
  }
  return {mask, false};
}

}  // namespace

void execute_vote(Execution& x) {
  const Ballot b = vote(x);
  Vector value;
  broadcast(b.mask, value);
  write(x, x.instruction.dest, value);
  write_predicate(x, x.instruction.dest_predicate0, b.result ? kAllLanes : 0);
}

void execute_voteu(Execution& x) {
  // The ballot of a uniform vote counts the lanes of the running path, whatever guards the instruction.
  const Ballot b = vote(x);
  write_uniform(x, x.instruction.dest, b.mask);
  write_uniform_predicate(x, x.instruction.dest_predicate0, b.result);
}

void execute_match(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sh;
  const std::uint32_t* low = fetch(x, in.a, sa);
  const std::uint32_t* high = in.mod.is_64bit ? fetch_high(x, in.a, sh) : kZeroVector.data();
  Vector out{};
  LaneMask all = 0;
  std::uint8_t different = 0;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(m));
    LaneMask equal = 0;
    for (LaneMask n = x.lanes; n != 0; n &= n - 1) {
      const auto j = static_cast<std::size_t>(__builtin_ctz(n));
      if (low[i] == low[j] && high[i] == high[j]) equal |= 1u << j;
    }
    out[i] = equal;
    if ((equal & ((1u << i) - 1)) == 0) ++different;
    if (equal == x.lanes) all |= 1u << i;
  }
  if (in.mod.vote == VoteMode::kAll) {
    for (LaneMask m = x.lanes & ~all; m != 0; m &= m - 1) out[static_cast<std::size_t>(__builtin_ctz(m))] = 0;
  } else {
    x.result.different_values = different;
  }
  write(x, in.dest, out);
  write_predicate(x, in.dest_predicate0, all);
}

void execute_redux(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa;
  const std::uint32_t* a = fetch(x, in.a, sa);
  LaneMask m = x.lanes;
  std::uint32_t result = a[__builtin_ctz(m)];
  const std::uint32_t bias = in.mod.is_signed ? 0x80000000u : 0u;
  for (m &= m - 1; m != 0; m &= m - 1) {
    const std::uint32_t v = a[__builtin_ctz(m)];
    switch (in.mem.atomic) {
      case AtomicOp::kAdd: result += v; break;
      case AtomicOp::kMin: result = (v ^ bias) < (result ^ bias) ? v : result; break;
      case AtomicOp::kMax: result = (v ^ bias) > (result ^ bias) ? v : result; break;
      case AtomicOp::kAnd: result &= v; break;
      case AtomicOp::kOr: result |= v; break;
      case AtomicOp::kXor: result ^= v; break;
      default: throw_fault(in, x.warp, x.context, -1, "unknown reduction");
    }
  }
  write_uniform(x, in.dest, result);
}

void execute_elect(Execution& x) {
  const auto leader = static_cast<std::uint32_t>(__builtin_ctz(x.lanes));
  write_uniform(x, x.instruction.dest, leader);
  write_predicate(x, x.instruction.dest_predicate0, 1u << leader);
}

void execute_r2ur(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa;
  const std::uint32_t* a = fetch(x, in.a, sa);
  // The first active lane's value; the predicate is true in the lanes that hold another one (.OR: or where it was).
  const std::uint32_t value = a[__builtin_ctz(x.lanes)];
  write_uniform(x, in.dest, value);
  LaneMask differ = lanes_where([&](std::size_t i) { return a[i] != value; });
  if (in.mod.variant == 1) differ |= x.warp.p[in.dest_predicate0 & 7u];
  write_predicate(x, in.dest_predicate0, differ);
}

}  // namespace stc::isa
