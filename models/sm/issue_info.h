// SPDX-License-Identifier: Apache-2.0
// What the issue stage must know of an instruction, worked out once per kernel and shared by all warps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/statistics.h"
#include "models/dependence/issue_distance.h"
#include "models/isa/state/kernel.h"
#include "models/sm/matrix_results.h"
#include "models/sm/register_ports.h"
#include "models/sm/sm_params.h"
#include "models/sm/tensor_counters.h"
#include "models/tensor_core/mma_timing.h"

namespace stc::sm {

enum class Pipe : std::uint8_t {
  kNone,
  kAlu,
  kFma,
  kFmaLite,
  kHalf,
  kFp64,
  kXu,
  kUniform,
  kBranch,
  kTensor,
  kMemory,
  kCount
};
constexpr int kPipes = static_cast<int>(Pipe::kCount);
using isa::kScoreboards;

/// Which road a memory-pipe instruction takes.
enum class MemoryKind : std::uint8_t {
  kNone,
  kSharedLoad,    ///< LDS, LDSM, ATOMS
  kSharedStore,   ///< STS, STSM
  kShuffle,       ///< SHFL
  kStatus,        ///< S2R of registers that come as data of memory does
  kMbarrier,      ///< SYNCS
  kGlobalLoad,    ///< LDG, LD, LDL
  kGlobalStore,   ///< STG, ST, STL
  kGlobalAtomic,  ///< ATOMG, ATOM, RED
  kRemote,        ///< LD, ST, ATOM in the shared memory of other CTAs of the cluster
  kAsyncCopy,     ///< LDGSTS
  kCopyFence      ///< LDGDEPBAR, ARRIVES
};

/// A matrix instruction of a warpgroup.
struct WarpgroupTiming {
  std::uint16_t interval = 0;  ///< cycles until the next one can begin; 0: it is no such instruction
  std::uint16_t latency = 0;   ///< from its begin until a wait for it ends
  std::uint16_t reads = 0;     ///< cycles of them in which operands come from shared memory
  std::uint16_t reads_a = 0;   ///< those in which A does
  bool ends_group = false;
  bool registers = false;  ///< A is there
};
/// Of a matrix instruction of a warpgroup, with A in shared memory or in registers; `ends_group` is not said.
WarpgroupTiming warpgroup_timing(const isa::MmaOp& op, bool a_in_memory, const WarpgroupParams& params);
/// Counts the groups of warpgroup matrix instructions of a warp that are under way, as a scoreboard does.
constexpr std::uint8_t kGroupScoreboard = 6;

/// In the order of use: what is looked at of every instruction that waits lies in the first 64 bytes.
struct alignas(64) IssueInfo {
  std::uint64_t awaited = 0;                 ///< 0xff in the byte of each scoreboard that must be zero
  std::int32_t constant_line = -1;           ///< of an operand (constant_line()); -1: none
  std::uint16_t latency = 0;                 ///< issue to scoreboard release, for non-memory instructions that use one
  std::uint16_t stall_cycles = 1;            ///< the compiler's stall count
  std::uint8_t copies_awaited = kAllCopies;  ///< DEPBAR: such a number of a scoreboard may be left
  std::uint8_t copy_scoreboard = 0;          ///< and which
  Pipe pipe = Pipe::kNone;
  std::uint8_t interval = 1;  ///< cycles the pipe takes no other instruction
  bool also_alu = false;      ///< occupies the ALU pipe too
  bool either_fma = false;    ///< goes to either FMA pipe
  bool is_tensor = false;
  MemoryKind memory = MemoryKind::kNone;
  Stall scoreboard_stall = Stall::kScoreboardOther;  ///< what waiting for its scoreboard means
  bool fixed_latency = true;                         ///< reads its sources in the register-read window
  std::uint8_t data_registers = 0;                   ///< registers per lane returned (loads) or read (stores)
  std::uint8_t sent_registers = 0;                   ///< registers per lane that a store or an atomic brings
  std::uint8_t source_registers = 0;                 ///< general registers read
  bool defers_barrier = false;                       ///< BAR.SYNC.DEFER_BLOCKING
  bool waits_at_barrier = true;    ///< a warp that has passed BAR.DEFER_BLOCKING waits before it, not at the barrier
  bool waits_for_cluster = false;  ///< UCGABAR_WAIT
  bool is_bulk = false;            ///< UBLK*, UTMA*
  bool takes_bulk_place = false;   ///< those of them that load
  bool waits_for_phase = false;    ///< SYNCS.PHASECHK.TRYWAIT: the warp is suspended before it
  bool jumps_through_registers = false;
  bool synchronizes = true;  ///< may concern other warps: barriers, fences, mbarriers
  bool in_halves = false;    ///< a product of 64 bits: the second half follows the first
  bool integer_matrix = false;
  /// General registers that it reads, so many from each of these on, some of them; for prefetching.
  std::array<std::uint8_t, 4> looked_at{}, looked_at_count{};
  MatrixFactors factors;              ///< of a matrix instruction
  RegisterReads reads;                ///< of fixed latency: general registers
  RegisterReads second_reads;         ///< of the second half
  alignas(64) RegisterSet registers;  ///< general registers read or written
  RegisterSet results;                ///< and written
  tensor_core::MmaTiming mma;
  MatrixCounts counts;  ///< of a matrix instruction
  WarpgroupTiming warpgroup;

  static constexpr std::uint8_t kAllCopies = 255;
};

inline dependence::IssueCycles issue_cycles(const IssueParams& issue) {
  return {issue.drain_cycles, issue.taken_branch_latency};
}

/// What an access brings to the SM and to the sub-core (micro_constant, see constant_cache.h), and the size of a bank
/// (CUDA's programming guide).
constexpr std::uint32_t kConstantLineBytes = 256, kConstantNearBytes = 64, kConstantBankBytes = 65536;

/// Which line of the near caches of constants a byte lies in; the lines of bank 0 come first.
constexpr std::int32_t constant_line(std::uint32_t bank, std::uint32_t offset) {
  return static_cast<std::int32_t>((bank * kConstantBankBytes + offset % kConstantBankBytes) / kConstantNearBytes);
}

std::vector<IssueInfo> classify(const isa::Kernel& kernel, const SmParams& params);

}  // namespace stc::sm
