// SPDX-License-Identifier: Apache-2.0
// Atomic operations on global, shared and generic memory. Lanes take effect in ascending order.
#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/isa/state/address_space.h"
#include "models/isa/values/atomic_value.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_address.h"
#include "models/isa/values/late_access.h"

namespace stc::isa {
namespace {

template <class T>
T load(const std::uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t atomic_result(const Instruction& in, std::uint64_t old, std::uint64_t operand, std::uint64_t compare,
                            bool& known) {
  return atomic_value({in.mem.atomic, in.mod.source_type, in.mod.ftz}, old, operand, compare, known);
}

enum Variant : std::uint16_t {
  kCompareAndStore = 1,  ///< .CAST.SPIN: Rd tells whether the swap took place
  kCountLanes = 2        ///< ATOMS.POPC.INC: the operand is one
};

/// Words of a vector one by one, or those of a 128-bit number.
void vector_lanes(Execution& x, const LanePointers& p, bool returns) {
  const Instruction& in = x.instruction;
  const MemoryFields& mem = in.mem;
  const std::size_t words = mem.bytes / 4;
  const bool swaps = mem.atomic == AtomicOp::kCas;
  const auto word = [&](int first, std::size_t w, std::size_t lane) {
    return first == kRegisterZero ? 0u : source_register(x, first + static_cast<int>(w))[lane];
  };
  std::array<Vector, 4> old{};
  LaneMask stored = 0;
  bool known = true;  // asked before
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    bool equal = true;
    for (std::size_t w = 0; w < words; ++w) {
      old[w][lane] = load<std::uint32_t>(p[lane] + 4 * w);
      equal = equal && (!swaps || old[w][lane] == word(mem.compare_register, w, lane));
    }
    if (!equal) continue;
    stored |= LaneMask{1} << lane;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint32_t operand = word(mem.data_register, w, lane);
      const auto result =
          static_cast<std::uint32_t>(swaps ? operand : atomic_result(in, old[w][lane], operand, 0, known));
      std::memcpy(p[lane] + 4 * w, &result, sizeof result);
      x.result.memory_changed |= result != old[w][lane];
    }
  }
  if (swaps) write_predicate(x, in.dest_predicate0, stored);
  if (!returns || in.dest == kRegisterZero) return;
  for (std::size_t w = 0; w < words; ++w) write(x, in.dest + static_cast<int>(w), old[w]);
}

/// Vectors and what is wider than 64 bits.
bool is_vector(const Instruction& in) {
  const ScalarType type = in.mod.source_type;
  const bool wide = type == ScalarType::kU64 || type == ScalarType::kS64 || type == ScalarType::kF64;
  return in.mem.bytes > (wide ? 8 : 4);
}

template <bool kReturns>
void atomic_lanes(Execution& x, const LanePointers& p) {
  if (is_vector(x.instruction)) return vector_lanes(x, p, kReturns);

  const Instruction& in = x.instruction;
  const bool shared = in.opcode == Opcode::kAtoms;
  const MemoryFields& mem = in.mem;
  const bool is_wide = mem.bytes == 8;
  const auto words = [&](int reg, std::size_t lane) {
    std::uint64_t value = source_register(x, reg)[lane];
    if (is_wide) value |= std::uint64_t{source_register(x, pair_high(reg))[lane]} << 32;
    return value;
  };
  Vector old_low{}, old_high{};
  LaneMask stored = 0;
  bool known = true;  // asked before
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    const std::uint64_t old = is_wide ? load<std::uint64_t>(p[lane]) : load<std::uint32_t>(p[lane]);
    const std::uint64_t compare = mem.atomic == AtomicOp::kCas ? words(mem.compare_register, lane) : 0;
    const std::uint64_t operand = shared && in.mod.variant == kCountLanes ? 1 : words(mem.data_register, lane);
    const std::uint64_t result = atomic_result(in, old, operand, compare, known);
    std::memcpy(p[lane], &result, is_wide ? 8 : 4);
    x.result.memory_changed |= result != old;
    if (mem.atomic == AtomicOp::kCas && old == compare) stored |= 1u << lane;
    old_low[lane] = static_cast<std::uint32_t>(old);
    old_high[lane] = static_cast<std::uint32_t>(old >> 32);
  }
  if (shared) write_predicate(x, in.dest_predicate0, stored);
  if (!kReturns) return;
  if (mem.atomic == AtomicOp::kCas && in.mod.variant == kCompareAndStore) {
    write_lanes(x, in.dest, [&](std::size_t i) { return (stored >> i) & 1u; });
    if (is_wide) write(x, pair_high(in.dest), Vector{});
    return;
  }
  write(x, in.dest, old_low);
  if (is_wide) write(x, pair_high(in.dest), old_high);
}

/// Now or at the end of the cycle; refused before it changes anything.
template <bool kReturns>
void make_atomic(Execution& x, const LanePointers& p) {
  bool known = true;
  atomic_result(x.instruction, 0, 0, 0, known);
  if (!known) {
    throw_fault(x.instruction, x.warp, x.context, -1, "this atomic operation is not modelled for its data type");
  }
  x.result.is_atomic = true;
  access_memory(x, p, atomic_lanes<kReturns>);
}

/// Whether generic forms that report success do shared memory. Compiled code has a loop of ATOMS for it behind
/// arithmetic that did not take place; behind 64-bit exchanges and swaps it has a load and a store, which only memory
/// that is the lane's own bears.
bool does_shared(const Instruction& in) {
  const ScalarType type = in.mod.source_type;
  if (type != ScalarType::kU64 && type != ScalarType::kS64) return false;
  const bool swaps = in.mem.atomic == AtomicOp::kCas || in.mem.atomic == AtomicOp::kExch;
  return swaps || architecture_of(in.sm).wide_shared_atomics_answer;
}

}  // namespace

void execute_atomg(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_global(x, x.instruction.mem.bytes, true, p);
  make_atomic<true>(x, p);
}

void execute_atom(Execution& x) {
  LanePointers p;
  global_addresses(x);
  if (x.instruction.dest_predicate0 != kPredicateTrue) {
    // All do global memory, none local memory; code around them handles the other lanes.
    const bool shared = does_shared(x.instruction);
    const LaneMask done = lanes_where([&](std::size_t i) {
      const std::uint64_t upper = x.result.address[i] & ~0xffffffffULL;
      return upper == kSharedWindow ? shared : upper != kLocalWindow;
    });
    write_predicate(x, x.instruction.dest_predicate0, done);
    const LaneMask all = x.lanes;
    x.lanes &= done;
    if (x.lanes != 0) {
      translate_generic(x, x.instruction.mem.bytes, true, p);
      make_atomic<true>(x, p);
    }
    x.lanes = all;
    return;
  }
  // Vectors exist in global memory only (PTX ISA), also where their address is generic.
  const auto translate = is_vector(x.instruction) ? translate_global : translate_generic;
  translate(x, x.instruction.mem.bytes, true, p);
  make_atomic<true>(x, p);
}

void execute_red(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_generic(x, x.instruction.mem.bytes, true, p);
  make_atomic<false>(x, p);
}

void execute_atoms(Execution& x) {
  constexpr std::uint16_t kArrive = 3;
  if (x.instruction.mod.variant == kArrive) {
    execute_atoms_arrive(x);
    return;
  }
  LanePointers p;
  window_addresses(x);
  translate_shared(x, x.instruction.mem.bytes, true, p);
  make_atomic<true>(x, p);
}

}  // namespace stc::isa
