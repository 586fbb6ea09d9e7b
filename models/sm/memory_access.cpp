// SPDX-License-Identifier: Apache-2.0
#include "models/sm/memory_access.h"

#include <algorithm>

namespace stc::sm {
namespace {

constexpr std::uint16_t kCountsLanes = 2;                      ///< ATOMS.POPC.INC: lanes at one address are one access
constexpr std::uint64_t kMatrixBytes = std::uint64_t{8} * 16;  ///< of LDSM: eight rows
// A store to global memory reads so many bytes of a lane in a wavefront of the data stage: measured/h200/gemm.csv,
// shared_wavefronts of GEMMs of 256 x 256 x 128: within 2 % with it, 7 to 24 % too few without.
constexpr int kStoreWavefrontBytes = 8;
constexpr std::uint64_t kLocalWindow = 1ULL << 42U;  ///< line; no buffer lies there

AtomicKind atomic_kind(const isa::Instruction& instruction) {
  if (instruction.mem.atomic == isa::AtomicOp::kCas) return AtomicKind::kCompareAndSwap;
  switch (instruction.mod.source_type) {
    case isa::ScalarType::kF64: return AtomicKind::kDouble;
    case isa::ScalarType::kF32:
    case isa::ScalarType::kF16x2:
    case isa::ScalarType::kBf16x2: return AtomicKind::kFloat;
    default: return AtomicKind::kInteger;
  }
}

std::uint64_t bytes_of(const isa::ExecuteResult& result) {
  return lanes_in(result.access_lanes) * result.bytes_per_lane;
}

bool accesses_shared(MemoryKind kind) { return kind == MemoryKind::kSharedLoad || kind == MemoryKind::kSharedStore; }
/// An atomic reads first.
SharedAccess use_of(const isa::ExecuteResult& result) {
  return result.is_write && !result.is_atomic ? SharedAccess::kStore : SharedAccess::kLoad;
}
bool in_shared(isa::Space space) { return space == isa::Space::kShared || space == isa::Space::kDistributed; }

}  // namespace

void MemoryAccess::make(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                        const isa::ExecuteResult& result, Cycle now, MemoryInstruction& request) {
  request = {};
  request.kind = info.memory;
  request.warp = static_cast<std::uint16_t>(warp.slot);
  request.generation = warp.generation;
  request.address = instruction.address;
  request.sub_core = static_cast<std::uint8_t>(warp.sub_core);
  request.write_scoreboard = instruction.control.write_scoreboard;
  request.read_scoreboard = instruction.control.read_scoreboard;
  request.data_registers = info.data_registers;
  request.sent_registers = info.sent_registers;
  request.source_registers = info.source_registers;
  request.bypass_l1 = instruction.mem.bypass_l1 || instruction.mem.strong_at_gpu();
  request.whole_line = instruction.mem.whole_line();
  request.role = result.role;
  request.issued = now;
  const Access access{warp, instruction, result, request};
  const Wavefronts fronts = by_kind(access);
  request.wavefronts = fronts.total;
  request.idle_parts = static_cast<std::uint8_t>(fronts.idle);
  if (instruction.opcode == isa::Opcode::kLds) request.parts = static_cast<std::uint8_t>(fronts.parts);
  if (request.kind == MemoryKind::kGlobalAtomic) ++warp.stores;
  count_wavefronts(access, info.memory, fronts);
}

Wavefronts MemoryAccess::by_kind(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  Wavefronts fronts;
  switch (access.request.kind) {
    case MemoryKind::kSharedLoad:
    case MemoryKind::kSharedStore:
      return access.instruction.mem.matrices != 0 ? shared_matrices(access) : shared(access);
    case MemoryKind::kAsyncCopy: return copy(access);
    case MemoryKind::kCopyFence: close_copies(access); break;
    case MemoryKind::kMbarrier:
      fronts.total = distinct_addresses(result.address.data(), result.access_lanes);
      access.request.checks_phase = access.instruction.opcode == isa::Opcode::kSyncsPhase;
      access.request.resumed = access.warp.resumed;
      break;
    case MemoryKind::kShuffle:
      fronts.total = 1;
      access.request.further_latency = shuffle_cycles(access);
      break;
    case MemoryKind::kGlobalLoad:
    case MemoryKind::kGlobalStore:
    case MemoryKind::kGlobalAtomic: return by_space(access);
    case MemoryKind::kStatus:
    case MemoryKind::kRemote:  // made here, of a generic access
    case MemoryKind::kNone: break;
  }
  return fronts;
}

/// How much longer than the shortest a shuffle takes.
std::uint8_t MemoryAccess::shuffle_cycles(const Access& access) const {
  const bool index = access.request.source_registers > 1;
  const bool predicate = access.instruction.dest_predicate0 != isa::kPredicateTrue;
  return static_cast<std::uint8_t>((index ? params_.shuffle_index_cycles : 0) +
                                   (predicate ? params_.shuffle_predicate_cycles : 0));
}

/// LDSM, STSM.
Wavefronts MemoryAccess::shared_matrices(const Access& access) {
  const auto matrices = access.instruction.mem.matrices;
  Wavefronts fronts;
  if (access.result.rows_apart) {
    fronts.total = matrices;
  } else {
    fronts = matrix_wavefronts(access.result.address.data(), matrices);
  }
  if (access.result.access_lanes == 0) {
    fronts.total = 0;
  } else {
    count_bytes(access.result, std::uint64_t{matrices} * kMatrixBytes);
  }
  return fronts;
}

Wavefronts MemoryAccess::shared(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  Wavefronts fronts =
      shared_wavefronts(result.address.data(), result.access_lanes, result.bytes_per_lane, use_of(result));
  if (result.is_atomic) atomic_wavefronts(access, fronts);
  // With all lanes off it takes its turn all the same (the LDS that nvcc puts before LDGSTS).
  access.request.idle = result.access_lanes == 0;
  if (access.request.idle) fronts.total = 1;
  count_bytes(result, bytes_of(result));
  return fronts;
}

/// An atomic in shared memory goes again for every further lane at the most wanted address.
void MemoryAccess::atomic_wavefronts(const Access& access, Wavefronts& fronts) const {
  const isa::Instruction& instruction = access.instruction;
  if (instruction.opcode == isa::Opcode::kAtoms && instruction.mod.variant == kCountsLanes) return;
  const int each = instruction.mem.atomic == isa::AtomicOp::kCas ? params_.compare_and_swap_wavefronts : 1;
  const int passes = atomic_passes(access.result.address.data(), access.result.access_lanes);
  const int again = std::max(0, passes - 1) * each + fronts.conflicts * (each - 1);
  fronts.idle = 0;  // not measured of atomics
  fronts.conflicts += again;
  fronts.total += again;
}

/// LDGSTS.
Wavefronts MemoryAccess::copy(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  const isa::LaneMask lanes = result.access_lanes;
  const bool through_l1 = !access.instruction.mem.bypass_l1 && lanes != 0;
  if (result.rows_apart) {
    coalesce_lines(result.copied_lines, access.request.lines);
  } else if (access.instruction.mem.bypass_l1) {
    coalesce_copy(result.address.data(), result.shared_address.data(), lanes, access.request.lines);
  } else {
    coalesce(result.address.data(), lanes, result.bytes_per_lane, access.request.lines);
  }
  // The fill writes whole rows: hardware counts one wavefront and those that conflicts add.
  Wavefronts fronts;
  if (!result.rows_apart) {
    fronts = shared_wavefronts(result.shared_address.data(), lanes, result.bytes_per_lane, SharedAccess::kStore);
  }
  fronts.idle = 0;
  // Through the L1 it takes the data stage several times more, hit or miss.
  fronts.total = std::max(1, 1 + fronts.conflicts) + (through_l1 ? params_.cached_copy_wavefronts : 0);
  // Lanes whose copy predicate is false fetch nothing; their zeros are stored as any data are, beside data that come
  // through the L1 at no further cost.
  const isa::LaneMask zeros = through_l1 ? 0 : result.shared_lanes & ~lanes;
  Wavefronts zero_rows;
  if (zeros != 0) {
    zero_rows = shared_wavefronts(result.shared_address.data(), zeros, result.bytes_per_lane, SharedAccess::kStore);
  }
  access.request.zero_wavefronts = zero_rows.total;
  if (lanes == 0 && zeros != 0) fronts = {};
  statistics_.shared_wavefronts += static_cast<std::uint64_t>(zero_rows.total);
  statistics_.shared_conflict_wavefronts += static_cast<std::uint64_t>(zero_rows.conflicts);
  statistics_.shared.write[static_cast<std::size_t>(result.role)] +=
      lanes_in(result.shared_lanes) * result.bytes_per_lane;
  access.request.copy_group = access.warp.copies.add_copy();
  return fronts;
}

/// LDGDEPBAR, ARRIVES: the group of copies issued so far ends here.
void MemoryAccess::close_copies(const Access& access) {
  const std::uint8_t scoreboard = access.instruction.control.write_scoreboard;
  access.request.copy_group = access.warp.copies.add_copy();
  CopyGroupEnd end{scoreboard, std::nullopt};
  if (access.result.arrives_after_copies) end.arrival = access.result.copy_arrival;
  access.warp.copies.close(end);
  access.request.write_scoreboard = isa::kNoScoreboard;  // released by the group's last copy
  access.warp.hold(scoreboard, Stall::kAsyncCopy);
}

Wavefronts MemoryAccess::by_space(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  switch (result.space) {
    case isa::Space::kLocal: return local(access);
    case isa::Space::kShared:  // a generic access to the CTA's own shared memory
      access.request.kind = result.is_write ? MemoryKind::kSharedStore : MemoryKind::kSharedLoad;
      count_bytes(result, bytes_of(result));
      return shared_wavefronts(result.address.data(), result.access_lanes, result.bytes_per_lane, use_of(result));
    case isa::Space::kDistributed:
      access.request.kind = MemoryKind::kRemote;
      access.request.remote = remote_parts(result.address.data(), result.access_lanes, result.bytes_per_lane,
                                           result.is_write, result.is_atomic);
      count_bytes(result, bytes_of(result));
      return {};
    case isa::Space::kGlobal:
    case isa::Space::kConstant:
    case isa::Space::kNone: break;
  }
  return global(access);
}

namespace {

/// Which bytes of the lines of `list` a store of one or two bytes a lane to local memory takes.
std::vector<LineBytes> bytes_stored(const isa::ExecuteResult& result, std::uint64_t first_line, const LineList& list) {
  std::vector<LineBytes> bytes(static_cast<std::size_t>(list.count), LineBytes{});
  for (isa::LaneMask rest = result.access_lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
    const std::uint64_t offset = result.address[lane];
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (list.lines[i].line != first_line + offset / 4) continue;
      for (std::uint64_t b = 0; b < static_cast<std::uint64_t>(result.bytes_per_lane); ++b) {
        bytes[i][(offset + b) % 4] |= std::uint32_t{1} << lane;
      }
    }
  }
  return bytes;
}

}  // namespace

Wavefronts MemoryAccess::local(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  access.request.local = true;
  const std::uint64_t first_line = first_local_line(access.warp);
  coalesce_local(result.address.data(), result.access_lanes, result.bytes_per_lane, first_line, access.request.lines);
  if (result.is_write && result.bytes_per_lane < 4) {
    access.request.stored_bytes = bytes_stored(result, first_line, access.request.lines);
  }
  Wavefronts fronts;
  fronts.total = std::max(1, result.bytes_per_lane / 4);  // every lane has a bank of its own
  return fronts;
}

Wavefronts MemoryAccess::global(const Access& access) {
  const isa::ExecuteResult& result = access.result;
  coalesce(result.address.data(), result.access_lanes, result.bytes_per_lane, access.request.lines);
  Wavefronts fronts;
  if (!result.is_atomic) {
    // Lines that lie side by side are accessed at once: a wavefront takes a word of each bank.
    const auto& addresses = result.address;
    const int words =
        shared_wavefronts(addresses.data(), result.access_lanes, result.bytes_per_lane, use_of(result)).total;
    fronts.total = std::max(1, words);
    return fronts;
  }
  fronts.total = std::max(1, access.request.lines.count);
  const AtomicKind kind = atomic_kind(access.instruction);
  access.request.waits_for_sum = kind == AtomicKind::kFloat || kind == AtomicKind::kDouble;
  count_packets(result.address.data(), result.access_lanes, kind, access.request.lines);
  return fronts;
}

/// Line in which the warp's local memory begins: every place for a warp has its own, in the kernel's stack size.
std::uint64_t MemoryAccess::first_local_line(const WarpContext& warp) const {
  const bool asked_for = kernel_->stack_bytes > isa::kDefaultStackBytes;
  const std::uint64_t words =
      (asked_for ? isa::local_memory_bytes(kernel_->local_bytes, kernel_->stack_bytes) : kernel_->local_bytes) / 4 + 1;
  return kLocalWindow + static_cast<std::uint64_t>(sm_ * warp_slots_ + warp.slot) * words;
}

void MemoryAccess::count_bytes(const isa::ExecuteResult& result, std::uint64_t bytes) {
  (result.is_write ? statistics_.shared.write : statistics_.shared.read)[static_cast<std::size_t>(result.role)] +=
      bytes;
}

/// `kind`: of the instruction, before its addresses were known.
void MemoryAccess::count_wavefronts(const Access& access, MemoryKind kind, const Wavefronts& fronts) {
  const isa::ExecuteResult& result = access.result;
  const bool to_shared = accesses_shared(kind) || kind == MemoryKind::kAsyncCopy || in_shared(result.space);
  if (kind == MemoryKind::kGlobalStore && !to_shared) {
    ++access.warp.stores;
    statistics_.shared_wavefronts +=
        static_cast<std::uint64_t>(std::max(1, result.bytes_per_lane / kStoreWavefrontBytes));
  }
  if (kind == MemoryKind::kShuffle || !to_shared) return;
  const bool fetches = kind == MemoryKind::kAsyncCopy && result.access_lanes != 0;
  (fetches ? statistics_.copy_wavefronts : statistics_.shared_wavefronts) += static_cast<std::uint64_t>(fronts.total);
  statistics_.shared_conflict_wavefronts += static_cast<std::uint64_t>(fronts.conflicts);
}

}  // namespace stc::sm
