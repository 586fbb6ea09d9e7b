// SPDX-License-Identifier: Apache-2.0
// Architectural state of one warp and its CTA: registers, predicates, program counters, shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/warp_size.h"
#include "models/isa/state/kernel.h"
#include "models/isa/state/registers.h"

namespace stc::isa {

using stc::kWarpSize;
using LaneMask = std::uint32_t;

/// Votes of BAR.RED. Two generations per barrier are kept: a warp cannot be two ahead of another.
struct BarrierVotes {
  std::uint32_t generation = 0;
  std::uint32_t threads = 0;  ///< that have arrived
  std::uint32_t yes = 0;      ///< of those, with a true predicate
  bool result = false;        ///< AND or OR of them, as the instruction asked
};

struct CtaState;

/// CTAs that reach each other's shared memory, by rank; nullptr: has ended.
using CtaCluster = std::vector<CtaState*>;

/// What the warps of one CTA share.
struct CtaState {
  Dim3 index{0, 0, 0};  ///< blockIdx
  Dim3 grid;
  Dim3 block;
  std::uint64_t linear_index = 0;
  std::uint32_t cluster_rank = 0;
  /// What its warps have given back (setmaxnreg), of a thread each: warps of one remainder of four share a register
  /// file.
  std::array<int, 4> pooled_registers{};
  const CtaCluster* cluster = nullptr;  ///< nullptr: the CTA is alone
  std::vector<std::uint8_t> shared;     ///< static + dynamic + reserved bytes, from shared address 0
  /// Role of each 16-byte chunk of `shared`, written by LDGSTS/STS, so that reads can be attributed.
  std::vector<std::uint8_t> shared_role;
  std::vector<std::uint8_t> shared_written;                     ///< per byte, once written; kept under poison only
  std::vector<std::uint8_t> constant0;                          ///< c[0] of this launch: dimensions, parameters
  std::array<std::array<BarrierVotes, 2>, 16> barrier_votes{};  ///< per barrier, by generation modulo 2
};

/// Lanes that take part in the convergence barriers B0..B15. A lane is added by BSSY and leaves when its barrier opens,
/// so paths that use one register for different regions wait for each other.
using ConvergenceRegisters = std::array<LaneMask, 16>;

/// What a path that cannot run waits for.
enum class PathWait : std::uint8_t {
  kNothing,     ///< runnable
  kSleep,       ///< the end of a NANOSLEEP
  kBsync,       ///< the other participants of a convergence barrier
  kWarpsync,    ///< the other lanes of a WARPSYNC mask
  kExclusive,   ///< those of its mask at WARPSYNC.EXCLUSIVE
  kCollective,  ///< those of WARPSYNC.COLLECTIVE, from wherever they come
  kBar          ///< the other lanes of the warp at the same CTA barrier
};

/// Lanes that stand at one program counter. A warp that has not diverged has one path.
struct Path {
  std::uint32_t pc = 0;
  LaneMask lanes = 0;
  PathWait wait = PathWait::kNothing;
  std::uint8_t barrier = 0;           ///< B register of a BSYNC, id of a BAR
  LaneMask expected = 0;              ///< lanes that must arrive before this path goes on
  std::uint32_t barrier_threads = 0;  ///< of a BAR, 0: all threads of the CTA
  bool arrives_only = false;          ///< BAR.ARV
  bool fresh = false;                 ///< left at a branch since another path was last chosen
  bool again = false;                 ///< executes its instruction once more, alone
  bool yielded = false;               ///< has given way and not run since: convergence barriers open without it
  std::uint64_t wake_ns = 0;          ///< end of a sleep, by the global timer
  bool gathered = false;              ///< at WARPSYNC.COLLECTIVE: all have come and execute it again
};

/// One warp. Registers are stored lane-contiguous so that an operation is one vector loop.
struct WarpState {
  explicit WarpState(int registers) : r(static_cast<std::size_t>(registers)) {}

  // What every instruction looks at lies together.
  Registers r;  ///< general registers; RZ is never stored here
  CtaState* cta = nullptr;
  std::uint32_t pc = 0;  ///< of the running path
  LaneMask active = 0;   ///< lanes of the running path
  LaneMask live = 0;     ///< lanes that have not exited
  int index_in_cta = 0;
  std::array<LaneMask, 8> p{};         ///< predicates, one bit per lane; p[7] stays all ones
  std::array<bool, 8> up{};            ///< uniform predicates; up[7] stays true
  std::array<std::uint32_t, 64> ur{};  ///< uniform registers; ur[63] stays 0
  ConvergenceRegisters convergence{};
  std::uint16_t moved_barriers = 0;                    ///< convergence barriers written by BMOV since their BSSY
  LaneMask released = 0;                               ///< lanes that the next WARPSYNC lets through
  std::vector<Path> waiting;                           ///< the other paths, runnable or not; the next to run last
  std::uint32_t diverged_branches = 0;                 ///< backward branches since the running path was chosen
  std::vector<std::vector<std::uint8_t>> local;        ///< per lane local memory, allocated on first use
  std::array<std::uint32_t, 16> barrier_generation{};  ///< BAR.RED executed on each barrier
  std::uint8_t last_reduction = 0;                     ///< barrier of the latest BAR.RED (B2R.RESULT)
  Vector collective_target{};                          ///< per lane, where ENDCOLLECTIVE sends it
  /// Kept under poison only: lanes that have written each register, and per lane the written bytes of local memory.
  std::vector<LaneMask> written;
  std::vector<std::vector<std::uint8_t>> local_written;

  bool exited() const { return live == 0; }
};

}  // namespace stc::isa
