// SPDX-License-Identifier: Apache-2.0
// What one instruction computes. Values only: everything here happens at once, at issue; models/sm decides when.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/driver/device_heap.h"
#include "models/isa/driver/device_output.h"
#include "models/isa/register_use.h"
#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "models/isa/state/launch.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/state/simulated_fault.h"
#include "models/isa/state/warp.h"
#include "models/isa/text/mnemonic.h"
#include "models/isa/values/bulk_transfer.h"

namespace stc::isa {

enum class Values : std::uint8_t {
  kFull,      ///< everything is computed
  kAddresses  ///< matrix products are skipped (their results are undefined); control flow and addresses are exact
};

class Poison;
class UnsetSymbols;
class LateAccesses;
class LoadLog;
class StoredBuffers;
class UnusedData;

/// Everything outside the warp that an instruction may touch.
struct ExecuteContext {
  const Kernel* kernel = nullptr;
  GlobalMemory* memory = nullptr;
  const arith::Numerics* numerics = nullptr;  ///< bit-exact rules of this GPU's tensor core
  Values values = Values::kFull;
  std::uint64_t cycle = 0;  ///< SM clock at issue (CS2R SR_CLOCKLO, S2R SR_CLOCK*)
  std::uint64_t global_timer_ns = 0;
  int sm_id = 0;
  int warp_slot = 0;                      ///< hardware warp slot (SR_VIRTID)
  Poison* poison = nullptr;               ///< finds reads of registers and memory that nobody wrote; none: off
  UnsetSymbols* unset_symbols = nullptr;  ///< finds reads of variables that nobody set; none: there are none
  DeviceOutput* output = nullptr;         ///< where threads print; nullptr: nowhere
  DeviceHeap* heap = nullptr;             ///< of device malloc; nullptr: it has no room
  bool copies_take_time = false;          ///< the caller makes arrivals of asynchronous copies; otherwise: at once
  LateAccesses* late = nullptr;           ///< where writes of global memory wait (late_access.h); null: made at once
  LoadLog* loads = nullptr;               ///< where loads are noted (load_log.h); null: nowhere
  StoredBuffers* stored = nullptr;        ///< where buffers are noted that late writes reach; null: nowhere
  const UnusedData* unused = nullptr;     ///< what need not be moved (unused_data.h); null: everything is
  const Allocation* buffer = nullptr;     ///< that the last access of global memory reached; null: several
  bool takes_lines = false;               ///< the caller does without addresses where the result says rows_apart
  std::uint32_t patterns_missed = 0;      ///< registers whose lanes made up no known pattern
};

enum class Space : std::uint8_t {
  kNone,
  kGlobal,
  kShared,
  kDistributed,  ///< shared memory of another CTA of the cluster
  kLocal,
  kConstant
};

/// What a warp does at the barrier of its cluster.
enum class ClusterBarrier : std::uint8_t { kNone, kArrive, kWait };

/// What is wrong with that for a warp that has arrived there and not waited since, or has not; nullptr: nothing.
constexpr const char* cluster_barrier_misuse(ClusterBarrier does, bool has_arrived) {
  if ((does == ClusterBarrier::kArrive) != has_arrived) return nullptr;
  return has_arrived ? "has arrived at the barrier of the cluster already and not waited since"
                     : "waits at the barrier of the cluster without having arrived";
}

/// Of an instruction that was just executed, what every one of them clears first.
struct ExecuteOutcome {
  LaneMask lanes = 0;                   ///< lanes that executed (guard true)
  LaneMask access_lanes = 0;            ///< lanes with a valid entry in `address`
  LaneMask shared_lanes = 0;            ///< LDGSTS only: lanes that write shared memory (copied or zeros)
  LaneMask driver_lanes = 0;            ///< that called `driver_function`
  std::uint64_t sleeps_until_ns = 0;    ///< the running path goes on at this time of the global timer; 0: at once
  std::uint32_t barrier_threads = 0;    ///< 0: all threads of the CTA
  std::uint32_t driver_characters = 0;  ///< of printf's format
  bool branched = false;                ///< a path is sent on: a branch that is taken, BSYNC, another path's turn
  bool exited = false;                  ///< the whole warp has ended
  bool converges = false;               ///< paths part or meet, or another path runs now
  bool barrier = false;                 ///< BAR reached by the warp
  std::uint8_t barrier_id = 0;
  bool barrier_arrive_only = false;
  ClusterBarrier cluster_barrier = ClusterBarrier::kNone;
  Space space = Space::kNone;  ///< memory space touched
  bool is_write = false;
  bool is_atomic = false;
  bool memory_changed = false;  ///< by an atomic, if it has been made
  bool ends_late = false;       ///< it is made at the end of the cycle and may answer into registers (late_access.h)
  std::uint8_t bytes_per_lane = 0;
  std::uint8_t different_values = 0;  ///< MATCH.ANY: among the lanes
  DataRole role = DataRole::kOther;   ///< role of the bytes moved (that of the first lane)
  DriverFunction driver_function = DriverFunction::kUnknown;
  bool phase_completed = false;       ///< an mbarrier of the CTA has gone on to its next phase
  bool arrives_after_copies = false;  ///< `copy_arrival` is to be made when the warp's copies so far have landed
  bool has_bulk = false;              ///< `bulk` is to be moved
  /// Of 16 bytes a lane: each eight lanes lie in different banks of shared memory. Of a copy these lanes besides make
  /// up a line of global memory in order, `copied_lines`, and lie in a line of shared memory as there. No address is
  /// filled in.
  bool rows_apart = false;
};

/// What the timing model must know about an instruction that was just executed.
struct ExecuteResult : ExecuteOutcome {
  std::array<std::uint64_t, kWarpSize> address;         ///< byte address per lane (global, shared, local)
  std::array<std::uint32_t, kWarpSize> shared_address;  ///< LDGSTS only: shared side per lane
  std::array<std::uint64_t, 4> copied_lines;            ///< numbers of lines of 128 bytes
  std::vector<RemoteArrival> remote_arrivals;           ///< to be made by the caller, when copies take time
  CopyArrival copy_arrival;
  BulkTransfer bulk;
};

/// Executes `instruction` for the running path of `warp`, advances its pc and fills `result`.
/// Throws SimulatedFault whose text names kernel, instruction (address and mnemonic), CTA, warp, lane and address.
/// For kBar the pc advances at once; the caller holds the warp until the barrier opens.
/// Reconvergence (BSSY/BSYNC/WARPSYNC/BREAK, EXIT of some lanes) is handled here: when the running path blocks,
/// another path of the warp becomes the running one. One path always runs unless all lanes have exited.
void execute(const Instruction& instruction, WarpState& warp, ExecuteContext& context, ExecuteResult& result);

/// Whether SYNCS.PHASECHK.TRYWAIT at the warp's program counter finds a completed phase in any lane; hardware suspends
/// the warp until it does or a time has passed.
bool phase_wait_over(const Instruction& instruction, const WarpState& warp, const Kernel& kernel);

/// Matrix instruction alone: reads A, B, C (and metadata) from `warp`, writes D. Used by execute().
void execute_mma(const Instruction& instruction, WarpState& warp, const arith::Numerics& numerics);

}  // namespace stc::isa
