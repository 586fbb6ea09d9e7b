// SPDX-License-Identifier: Apache-2.0
// Operations on mbarrier objects: SYNCS.* of sm_90, ATOMS.ARRIVE of sm_80, arrivals of asynchronous copies.
#include <fmt/format.h>

#include "models/isa/state/address_space.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/values/copy_arrival.h"
#include "models/isa/values/divergence.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_address.h"

namespace stc::isa {
namespace {

constexpr std::uint16_t kWithoutToken = 1;  ///< SYNCS.ARRIVE.RED, which reaches the barriers of other CTAs too

std::uint64_t word_at(const std::uint8_t* place) {
  std::uint64_t word;
  std::memcpy(&word, place, sizeof word);
  return word;
}

/// Applies `update` to the barrier of `lane` and returns the word before.
std::uint64_t apply(Execution& x, int lane, std::uint8_t* place, const MbarrierUpdate& update) {
  const std::uint64_t before = word_at(place);
  Mbarrier barrier(x.context.kernel->sm_version, before);
  if (const char* problem = barrier.apply(update)) {
    throw_address_fault(x.instruction, x.warp, x.context, lane, fmt::format("mbarrier: {}", problem), Space::kShared,
                        x.result.address[static_cast<std::size_t>(lane)]);
  }
  const std::uint64_t after = barrier.word();
  std::memcpy(place, &after, sizeof after);
  if ((before ^ after) >> 63 != 0) x.result.phase_completed = true;
  return before;
}

/// What `lane` adds to the update of its barrier.
void add_lane(MbarrierUpdate& update, MbarrierArrival kind, std::uint32_t operand) {
  switch (kind) {
    case MbarrierArrival::kOneExpecting: ++update.arrivals, update.transactions += operand; break;
    case MbarrierArrival::kOne: ++update.arrivals; break;
    case MbarrierArrival::kExpectOne: ++update.transactions; break;
    case MbarrierArrival::kExpect: update.transactions += operand; break;
    case MbarrierArrival::kComplete: update.transactions -= operand; break;
    case MbarrierArrival::kCount: update.arrivals += operand; break;
  }
}

/// Lanes of `among` whose barrier is that of `lane`.
LaneMask same_barrier(const LanePointers& pointers, LaneMask among, std::size_t lane) {
  LaneMask same = 0;
  for (LaneMask m = among; m != 0; m &= m - 1) {
    const auto other = static_cast<std::size_t>(__builtin_ctz(m));
    if (pointers[other] == pointers[lane]) same |= 1u << other;
  }
  return same;
}

}  // namespace

void execute_syncs_exchange(Execution& x) {
  const Instruction& in = x.instruction;
  window_addresses(x);
  LanePointers pointers;
  translate_shared(x, kMbarrierBytes, true, pointers);
  const std::uint64_t word = std::uint64_t{scalar_operand(x, in.b, 1)} << 32 | scalar_operand(x, in.b);
  std::memcpy(pointers[static_cast<std::size_t>(__builtin_ctz(x.lanes))], &word, sizeof word);
}

/// All lanes of one barrier arrive together; each is given the phase and the counts from before. The lower word of a
/// token is left as it was. Arrivals at other CTAs are on their way when the instruction is done, if they take time.
void execute_syncs_arrive(Execution& x) {
  const Instruction& in = x.instruction;
  window_addresses(x);
  std::array<std::uint32_t, kWarpSize> rank;
  rank.fill(x.warp.cta->cluster_rank);
  LanePointers pointers;
  if (in.mod.variant == kWithoutToken) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      rank[i] = rank_of(static_cast<std::uint32_t>(x.result.address[i]));
      x.result.address[i] |= kSharedWindow;
    }
    translate_generic(x, kMbarrierBytes, true, pointers);
  } else {
    translate_shared(x, kMbarrierBytes, true, pointers);
  }
  Vector scratch;
  const std::uint32_t* operand = fetch(x, in.b, scratch);
  Vector token{};
  for (LaneMask left = x.lanes; left != 0;) {
    const int lane = __builtin_ctz(left);
    const auto first = static_cast<std::size_t>(lane);
    const LaneMask lanes = same_barrier(pointers, left, first);
    MbarrierUpdate update;
    update.leaves = in.mod.mbarrier_leaves;
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      add_lane(update, in.mod.mbarrier, operand[static_cast<std::size_t>(__builtin_ctz(m))]);
    }
    left &= ~lanes;
    if (x.context.copies_take_time && rank[first] != x.warp.cta->cluster_rank) {
      const std::uint32_t offset = offset_in_cta(static_cast<std::uint32_t>(x.result.address[first]));
      x.result.remote_arrivals.push_back({rank[first], {offset, update, issued_by(x)}});
      continue;
    }
    const std::uint64_t before = apply(x, lane, pointers[first], update);
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      token[static_cast<std::size_t>(__builtin_ctz(m))] = static_cast<std::uint32_t>(before >> 32);
    }
  }
  if (in.dest != kRegisterZero) write(x, pair_high(in.dest), token);
}

/// True where the phase that bit 31 of the operand names has completed.
namespace {

/// Whether PHASECHK at the warp's program counter finds a completed phase in any lane, or a fault.
bool finds_phase(const Instruction& instruction, const WarpState& warp, const Kernel& kernel) {
  const PredicateOperand& guard = instruction.guard;
  const LaneMask lanes = warp.active & predicate_lanes(warp, guard);
  const MemoryFields& mem = instruction.mem;
  const auto register_of = [&](int index, std::size_t lane) {
    return index == kRegisterZero ? 0u : warp.r[static_cast<std::size_t>(index)][lane];
  };
  const std::uint32_t uniform = mem.uniform_register == kUniformZero ? 0u : warp.ur[mem.uniform_register & 63u];
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    const std::uint32_t address = register_of(mem.address_register, lane) + uniform +
                                  static_cast<std::uint32_t>(mem.offset) - shared_base(warp.cta->cluster_rank);
    if (address % kMbarrierBytes != 0 || address + kMbarrierBytes > warp.cta->shared.size()) return true;
    const Mbarrier barrier(kernel.sm_version, word_at(warp.cta->shared.data() + address));
    if (barrier.phase() != (register_of(instruction.b.index, lane) >> 31 != 0)) return true;
  }
  return lanes == 0;
}

}  // namespace

void execute_syncs_phase(Execution& x) {
  const Instruction& in = x.instruction;
  window_addresses(x);
  LanePointers pointers;
  translate_shared(x, kMbarrierBytes, false, pointers);
  enum Variant : std::uint16_t { kTryWait = 1 };
  const bool waits = in.mod.variant == kTryWait && x.lanes == x.warp.active && another_can_run(x.warp);
  if (waits && !finds_phase(in, x.warp, *x.context.kernel)) return stand_back(x);
  Vector scratch;
  const std::uint32_t* operand = fetch(x, in.b, scratch);
  LaneMask over = 0;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    const bool phase = Mbarrier(x.context.kernel->sm_version, word_at(pointers[lane])).phase();
    if (phase != (operand[lane] >> 31 != 0)) over |= 1u << lane;
  }
  write_predicate(x, in.dest_predicate0, over);
}

void execute_syncs_invalidate(Execution& x) {
  window_addresses(x);
  LanePointers pointers;
  translate_shared(x, kMbarrierBytes, true, pointers);
}

/// ATOMS.ARRIVE of sm_80: one lane after the other.
void execute_atoms_arrive(Execution& x) {
  window_addresses(x);
  LanePointers pointers;
  translate_shared(x, kMbarrierBytes, true, pointers);
  x.result.is_atomic = true;
  Vector low{}, high{};
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const auto u = static_cast<std::size_t>(lane);
    const std::uint64_t before = apply(x, lane, pointers[u], {1, 0, false});
    low[u] = static_cast<std::uint32_t>(before);
    high[u] = static_cast<std::uint32_t>(before >> 32);
  }
  write(x, x.instruction.dest, low);
  write(x, pair_high(x.instruction.dest), high);
}

void execute_arrives(Execution& x) {
  window_addresses(x);
  LanePointers pointers;
  translate_shared(x, kMbarrierBytes, true, pointers);
  const auto lane = static_cast<std::size_t>(__builtin_ctz(x.lanes));
  const auto lanes = __builtin_popcount(x.lanes);
  CopyArrival& arrival = x.result.copy_arrival;
  arrival.address = static_cast<std::uint32_t>(x.result.address[lane]);
  arrival.update = {};
  arrival.by = issued_by(x);
  if (x.instruction.mod.mbarrier == MbarrierArrival::kComplete) {
    arrival.update.transactions = -lanes;
  } else {
    arrival.update.arrivals = static_cast<std::uint64_t>(lanes);
  }
  if (x.context.copies_take_time) {
    x.result.arrives_after_copies = true;
  } else {
    complete_copy_arrival(*x.warp.cta, *x.context.kernel, arrival);
  }
}

bool phase_wait_over(const Instruction& instruction, const WarpState& warp, const Kernel& kernel) {
  return another_can_run(warp) || finds_phase(instruction, warp, kernel);
}

}  // namespace stc::isa
