// SPDX-License-Identifier: Apache-2.0
// Branches, calls, convergence barriers, CTA barriers, exit.
#include <fmt/format.h>

#include <algorithm>

#include "models/isa/state/address_space.h"
#include "models/isa/state/code_place.h"
#include "models/isa/values/divergence.h"
#include "models/isa/values/driver_call.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

/// Backward branches of one path of a diverged warp before another path gets a turn: far more than any loop that
/// waits makes without YIELD in compiled code.
constexpr std::uint32_t kPatience = 1u << 20;

LaneMask taken_lanes(const Execution& x) { return x.lanes & predicate_lanes(x.warp, x.instruction.source_predicate0); }

/// A wild function pointer or return address must not leave the kernel. Without code (single instructions under test)
/// there is nothing to leave.
void require_code(const Execution& x, LaneMask lanes, std::uint32_t target) {
  const std::size_t count = x.context.kernel->code.size();
  if (count == 0 || (target % kInstructionBytes == 0 && target / kInstructionBytes < count)) return;
  throw_fault(x.instruction, x.warp, x.context, __builtin_ctz(lanes),
              fmt::format("jump to 0x{:04x}, where the kernel has no instruction; its code ends at 0x{:04x}", target,
                          count * kInstructionBytes));
}

void branch(Execution& x, LaneMask taken, std::uint32_t target) {
  WarpState& warp = x.warp;
  if (taken == 0) return;
  require_code(x, taken, target);
  if (taken == warp.active) {
    jump(x, target);
  } else {
    split_path(x, taken, target);
  }
  if (warp.waiting.empty() || target > x.instruction.address) return;
  if (++warp.diverged_branches > kPatience) take_turns(x);
}

/// Lanes of `among` that want to go where `lane` goes.
LaneMask same_target(const Vector& target, LaneMask among, std::size_t lane) {
  LaneMask same = 0;
  for (LaneMask m = among; m != 0; m &= m - 1) {
    const auto u = static_cast<std::size_t>(__builtin_ctz(m));
    if (target[u] == target[lane]) same |= 1u << u;
  }
  return same;
}

/// Register-indirect jump: the lanes of one target go ahead.
void indirect_branch(Execution& x, LaneMask taken, const Vector& target, std::uint32_t base) {
  LaneMask chosen = 0;
  for (LaneMask left = taken; left != 0; left &= ~chosen) {
    chosen = same_target(target, taken, static_cast<std::size_t>(__builtin_ctz(left)));
    if (2 * __builtin_popcount(chosen) <= __builtin_popcount(taken)) break;
  }
  const auto lane = static_cast<std::size_t>(__builtin_ctz(chosen));
  require_code(x, chosen, base + target[lane]);
  if (chosen == x.warp.active) {
    jump(x, base + target[lane]);
  } else {
    send_ahead(x, chosen, base + target[lane]);
  }
}

/// The timer's edge at which a sleep ends: the next multiple of twice the largest power of two within `ns`, at most of
/// about a millisecond. Below 32 ns there is no waiting for the timer.
std::uint64_t end_of_sleep(std::uint32_t ns, std::uint64_t now_ns) {
  constexpr std::uint32_t kShortest = 32, kLongest = 1u << 19;
  if (ns < kShortest) return std::max<std::uint64_t>(1, now_ns);
  const std::uint64_t period = std::uint64_t{2} << (31 - __builtin_clz(std::min(ns, kLongest)));
  return (now_ns / period + 1) * period;
}

/// Calls of functions that the driver supplies. Lanes that call another one stay at the call for later.
void leave_kernel(Execution& x, LaneMask outside, const Vector& target) {
  const DriverReturn back = call_driver(x, outside, target);
  require_code(x, back.lanes, back.pc);
  if (back.lanes == x.warp.active) {
    jump(x, back.pc);
  } else {
    send_ahead(x, back.lanes, back.pc);
  }
}

/// 32 lanes of a mask operand; lanes of one path agree on it.
LaneMask mask_operand(const Execution& x, const Operand& o) {
  const LaneMask mask = o.kind == Operand::Kind::kRegister
                            ? source_register(x, o.index)[static_cast<std::size_t>(__builtin_ctz(x.lanes))]
                            : scalar_operand(x, o);
  return o.negate ? ~mask : mask;
}

/// BAR.RED: adds the predicates of the warp's threads to the CTA's account of this use of the barrier.
void cast_vote(Execution& x, std::uint8_t barrier) {
  WarpState& warp = x.warp;
  if (x.lanes != warp.live)
    throw_fault(x.instruction, warp, x.context, -1, "BAR.RED in a diverged warp is not modelled");
  const std::uint32_t generation = ++warp.barrier_generation[barrier];
  warp.last_reduction = barrier;
  BarrierVotes& votes = warp.cta->barrier_votes[barrier][generation & 1u];
  if (votes.generation != generation) votes = BarrierVotes{generation, 0, 0, false};
  const LaneMask yes = taken_lanes(x);
  votes.threads += static_cast<std::uint32_t>(__builtin_popcount(x.lanes));
  votes.yes += static_cast<std::uint32_t>(__builtin_popcount(yes));
  enum Variant : std::uint16_t { kAnd = 1 };  // else OR; a count ignores the predicate result
  votes.result = (x.instruction.mod.variant & 3u) == kAnd ? votes.yes == votes.threads : votes.yes != 0;
}

}  // namespace

void execute_bra(Execution& x) {
  const Instruction& in = x.instruction;
  enum Variant : std::uint16_t { kDiverged = 2, kConverged = 3, kAny = 4 };
  if (in.mod.variant == kDiverged || in.mod.variant == kConverged) {
    // Converged: the guard holds in all lanes of the mask. Then, or else, the whole path branches.
    const LaneMask missing = mask_operand(x, in.b) & x.warp.live & ~x.lanes;
    if ((missing == 0) != (in.mod.variant == kConverged)) return;
    x.lanes = x.warp.active;
  }
  const LaneMask taken = taken_lanes(x);
  branch(x, in.mod.variant == kAny && taken != 0 ? x.warp.active : taken, in.target);
}

namespace {

/// CALL.ABS and RET.ABS through a register pair: code of the kernel, or a function of the driver.
void absolute_branch(Execution& x, LaneMask taken) {
  const Instruction& in = x.instruction;
  Vector target{};
  LaneMask outside = 0;
  for (LaneMask m = taken; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const auto u = static_cast<std::size_t>(lane);
    const std::uint64_t high = source_register(x, pair_high(in.a.index))[u];
    const std::uint64_t address = high << 32 | source_register(x, in.a.index)[u];
    const auto pc = pc_of(*x.context.kernel, address);
    if (!pc) {
      throw_fault(in, x.warp, x.context, lane, "jump to " + describe_code(*x.context.kernel, address));
    }
    target[u] = *pc;
    if (*pc >= kExternalCode) outside |= 1u << lane;
  }
  if (outside == 0) {
    indirect_branch(x, taken, target, 0);
  } else {
    leave_kernel(x, outside, target);
  }
}

}  // namespace

void execute_indirect(Execution& x) {  // BRX, CALL, RET: target (+ register)
  const Instruction& in = x.instruction;
  const LaneMask taken = taken_lanes(x);
  if (taken == 0) return;
  enum Variant : std::uint16_t { kAbsolute = 1 };
  if (in.a.kind == Operand::Kind::kNone) {
    if (in.target < kExternalCode) {
      branch(x, taken, in.target);
    } else {
      Vector target;
      broadcast(in.target, target);
      leave_kernel(x, taken, target);
    }
    return;
  }
  if (in.mod.variant == kAbsolute) {
    absolute_branch(x, taken);
    return;
  }
  Vector scratch;
  Vector target;
  const std::uint32_t* a = fetch(x, in.a, scratch);
  for (std::size_t i = 0; i < kWarpSize; ++i) target[i] = a[i];
  indirect_branch(x, taken, target, in.target);
}

void execute_exit(Execution& x) {
  x.lanes = taken_lanes(x);
  if (x.lanes != 0) exit_lanes(x);
}

void execute_bssy(Execution& x) { enter_convergence_barrier(x, x.instruction.mod.barrier & 15u); }

void execute_bsync(Execution& x) {
  x.lanes = taken_lanes(x);
  if (x.lanes == 0) return;
  wait_for_convergence(x, x.instruction.mod.barrier & 15u);
}

void execute_break(Execution& x) { leave_convergence_barrier(x, x.instruction.mod.barrier & 15u, taken_lanes(x)); }

/// A warp has one register; lanes that bring different values, as after calls from several frames, leave it that of the
/// lowest.
void execute_bmov(Execution& x) {
  const Instruction& in = x.instruction;
  const std::size_t barrier = in.mod.barrier & 15u;
  LaneMask& mask = x.warp.convergence[barrier];
  enum Variant : std::uint16_t { kRead = 0, kReadClear = 1, kWrite = 2 };
  if (in.mod.variant == kWrite) {
    mask = mask_operand(x, in.b);
    x.warp.moved_barriers |= static_cast<std::uint16_t>(1u << barrier);
    return;
  }
  Vector value;
  broadcast(mask, value);
  write(x, in.dest, value);
  if (in.mod.variant == kReadClear) mask = 0;
}

namespace {

/// Lanes of `among` that hold the value of the lowest of them.
LaneMask lanes_like_first(const std::uint32_t* value, LaneMask among) {
  const std::uint32_t first = value[__builtin_ctz(among)];
  LaneMask same = 0;
  for (LaneMask m = among; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    if (value[lane] == first) same |= 1u << lane;
  }
  return same;
}

/// The lanes of each mask wait for one another and go on as a path of their own. At EXCLUSIVE and COLLECTIVE one group
/// passes at once, and each of the others comes again when it is its turn: an H200 counts as many of them as there are
/// groups (foreign.csv: half_masks, tiles_of_16, warp_collectives; votes of tiles of 16; five labels at ptxas -O0,
/// where the counters exceed ncu's source view, which has one for all groups, by just as many).
void wait_in_groups(Execution& x, PathWait wait, const std::uint32_t* masks) {
  LaneMask left = x.lanes;
  while (left != 0) {
    x.lanes = lanes_like_first(masks, left);
    left &= ~x.lanes;
    const bool one_by_one = wait == PathWait::kExclusive || wait == PathWait::kCollective;
    const bool comes_again = one_by_one && left != 0;
    wait_for_lanes(x, wait, 0, masks[__builtin_ctz(x.lanes)] & x.warp.live, comes_again);
  }
}

}  // namespace

/// Without a mode lanes that nobody keeps waiting stay together, whatever their masks. EXCLUSIVE parts the groups.
/// COLLECTIVE does so too, gathers a group from wherever its lanes wait, and ENDCOLLECTIVE sends them on.
void execute_warpsync(Execution& x) {
  const Instruction& in = x.instruction;
  WarpState& warp = x.warp;
  x.lanes = taken_lanes(x);
  if (x.lanes == 0) return;
  enum Variant : std::uint16_t { kMask = 0, kAll = 1, kCollective = 2 };  // else EXCLUSIVE
  Vector scratch;
  broadcast(kAllLanes, scratch);
  const bool given = in.mod.variant != kAll && in.b.kind != Operand::Kind::kNone;
  const std::uint32_t* masks = given ? fetch(x, in.b, scratch) : scratch.data();
  if (in.mod.variant == kMask || in.mod.variant == kAll) {
    LaneMask wanted = 0;
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) wanted |= masks[__builtin_ctz(m)];
    if (x.lanes == warp.active && (wanted & warp.live & ~x.lanes) == 0) {
      wait_for_lanes(x, PathWait::kWarpsync, 0, wanted & warp.live);
      return;
    }
  }
  if (in.mod.variant == kCollective) {
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) warp.collective_target[__builtin_ctz(m)] = in.target;
  }
  static constexpr PathWait kWaits[] = {PathWait::kWarpsync, PathWait::kWarpsync, PathWait::kCollective,
                                        PathWait::kExclusive};
  wait_in_groups(x, kWaits[in.mod.variant & 3u], masks);
}

void execute_endcollective(Execution& x) {
  WarpState& warp = x.warp;
  const Vector& target = warp.collective_target;
  const auto pc_of = [&](LaneMask group) { return target[static_cast<std::size_t>(__builtin_ctz(group))]; };
  // Those whose code this is go on first, the others from where they came when it is their turn.
  LaneMask first = 0;
  for (LaneMask left = x.lanes; left != 0;) {
    const LaneMask group = lanes_like_first(target.data(), left);
    left &= ~group;
    const bool own = pc_of(group) == x.instruction.address + kInstructionBytes;
    const LaneMask later = first == 0 || own ? first : group;
    if (first == 0 || own) first = group;
    if (later == 0) continue;
    Path other;
    other.pc = pc_of(later);
    other.lanes = later;
    warp.waiting.push_back(other);
    warp.active &= ~later;
  }
  jump(x, pc_of(first));
}

void execute_yield(Execution& x) {
  if (!x.warp.waiting.empty()) give_way(x);
}

/// NANOSLEEP.SYNCS only lets others have a turn: the wait itself is that of SYNCS.PHASECHK.TRYWAIT.
void execute_nanosleep(Execution& x) {
  enum Variant : std::uint16_t { kSyncs = 1 };
  if (x.instruction.mod.variant == kSyncs) return execute_yield(x);
  const Operand& time = x.instruction.b;
  const std::uint32_t ns = time.kind == Operand::Kind::kRegister
                               ? source_register(x, time.index)[static_cast<std::size_t>(__builtin_ctz(x.lanes))]
                               : scalar_operand(x, time);
  give_way(x, end_of_sleep(ns, x.context.global_timer_ns));
}

namespace {

/// Compilers see to it that the warp is whole here; what else would happen is not known.
void at_cluster_barrier(Execution& x, ClusterBarrier what) {
  if (x.warp.active != x.warp.live) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("executed by lanes 0x{:08x}; all that have not exited, 0x{:08x}, must take part",
                            x.warp.active, x.warp.live));
  }
  x.result.cluster_barrier = what;
}

}  // namespace

void execute_cluster_arrive(Execution& x) { at_cluster_barrier(x, ClusterBarrier::kArrive); }
void execute_cluster_wait(Execution& x) { at_cluster_barrier(x, ClusterBarrier::kWait); }

namespace {

struct BarrierOperands {
  std::uint32_t id = 0, threads = 0;
};

/// Where both are in registers it is one register that compiled code packs: the barrier in bits 15:0, the threads in
/// 27:16.
BarrierOperands barrier_operands(const Execution& x) {
  const Instruction& in = x.instruction;
  const auto lane = static_cast<std::size_t>(__builtin_ctz(x.lanes));
  const auto value = [&](const Operand& o) {
    return o.kind == Operand::Kind::kRegister ? source_register(x, o.index)[lane] : scalar_operand(x, o);
  };
  if (in.a.kind == Operand::Kind::kRegister && in.b.kind == Operand::Kind::kRegister) {
    const std::uint32_t both = value(in.a);
    return {both & 0xffffu, both >> 16 & 0xfffu};
  }
  return {in.a.kind != Operand::Kind::kNone ? value(in.a) : in.mod.barrier,
          in.b.kind != Operand::Kind::kNone ? value(in.b) : 0};
}

}  // namespace

void execute_bar(Execution& x) {
  const Instruction& in = x.instruction;
  const auto [id, threads] = barrier_operands(x);
  if (id > 15) throw_fault(in, x.warp, x.context, __builtin_ctz(x.lanes), fmt::format("barrier {} of 0..15", id));
  ExecuteResult& result = x.result;
  result.barrier_id = static_cast<std::uint8_t>(id);
  result.barrier_threads = threads;
  result.barrier_arrive_only = in.mod.bar == BarMode::kArrive;
  if (in.mod.bar == BarMode::kScan) throw_fault(in, x.warp, x.context, -1, "BAR.SCAN is not modelled");
  if (in.mod.bar == BarMode::kReduce) cast_vote(x, result.barrier_id);
  // The path arrives with all its lanes, those with a false guard too. A diverged warp arrives when all have; until
  // then the path waits and the others run.
  x.lanes = x.warp.active;
  if (wait_for_lanes(x, PathWait::kBar, static_cast<std::uint8_t>(id), x.warp.live)) result.barrier = true;
}

void execute_b2r(Execution& x) {
  const Instruction& in = x.instruction;
  enum Variant : std::uint16_t { kResult = 1 };
  if (in.mod.variant != kResult) throw_fault(in, x.warp, x.context, -1, "only B2R.RESULT is modelled");
  const std::uint8_t barrier = x.warp.last_reduction;
  const BarrierVotes& votes = x.warp.cta->barrier_votes[barrier][x.warp.barrier_generation[barrier] & 1u];
  Vector value;
  broadcast(votes.yes, value);
  write(x, in.dest, value);
  write_predicate(x, in.dest_predicate0, votes.result ? kAllLanes : 0u);
}

void execute_bpt(Execution& x) { throw_fault(x.instruction, x.warp, x.context, -1, "the kernel trapped"); }

void execute_nothing(Execution&) {}  // time and order only: no architectural value changes

}  // namespace stc::isa
