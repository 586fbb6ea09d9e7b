// SPDX-License-Identifier: Apache-2.0
// What one instruction computes. Values only: everything here happens at once, at issue; models/sm decides when.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/arith/numerics.h"
#include "models/isa/driver/device_heap.h"
#include "models/isa/driver/device_output.h"
#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

enum class Values : std::uint8_t {
  kFull,      ///< everything is computed
  kAddresses  ///< matrix products are skipped (their results are undefined); control flow and addresses are exact
};

/// A fault of the simulated program (exit code 3): out of bounds, misaligned, illegal instruction.
struct SimulatedFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Poison;
class UnsetSymbols;
class LateAccesses;
class LoadLog;
class StoredBuffers;

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
  const Allocation* buffer = nullptr;     ///< that the last access of global memory reached; null: several
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
  DataRole role = DataRole::kOther;  ///< role of the bytes moved (that of the first lane)
  DriverFunction driver_function = DriverFunction::kUnknown;
  bool phase_completed = false;       ///< an mbarrier of the CTA has gone on to its next phase
  bool arrives_after_copies = false;  ///< `copy_arrival` is to be made when the warp's copies so far have landed
};

/// What the timing model must know about an instruction that was just executed.
struct ExecuteResult : ExecuteOutcome {
  std::array<std::uint64_t, kWarpSize> address;         ///< byte address per lane (global, shared, local)
  std::array<std::uint32_t, kWarpSize> shared_address;  ///< LDGSTS only: shared side per lane
  std::vector<RemoteArrival> remote_arrivals;           ///< to be made by the caller, when copies take time
  CopyArrival copy_arrival;
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

/// Prepares a warp at the kernel's entry: pc 0, live lanes from the block's thread count, registers zero.
void start_warp(WarpState& warp, const Kernel& kernel, CtaState& cta, int index_in_cta);

/// Gives the module's variables in global memory a place in `memory`, where they are not there yet, and writes
/// their addresses wherever code, constants and other variables hold them. To be called once before the kernel's first
/// launch.
void place_variables(Kernel& kernel, GlobalMemory& memory);
/// Sets a variable of the module, by its symbol, once the variables are placed; `data` has as many bytes as it.
void set_variable(Kernel& kernel, GlobalMemory& memory, const std::string& name, const std::vector<std::uint8_t>& data);

/// What the driver tells a kernel besides the launch's own numbers.
struct LaunchFacts {
  std::uint32_t sms = 0;                    ///< of the GPU
  std::uint32_t reserved_shared_bytes = 0;  ///< of a CTA, for the system
  std::uint64_t grid_workspace = 0;         ///< where CTAs of a cooperative launch meet (place_grid_workspace); else 0
  std::uint64_t parameters = 0;             ///< copy_parameters; 0: the kernel takes no addresses of its parameters
};

/// c[0] of a launch: dimensions, parameters (`parameter_bytes` starts at kernel.parameter_base), stack pointer.
/// `cluster`: CTAs per cluster, where the launch has clusters.
std::vector<std::uint8_t> launch_constants(const Kernel& kernel, const LaunchFacts& facts, Dim3 grid, Dim3 block,
                                           const std::vector<std::uint8_t>& parameter_bytes,
                                           std::uint32_t dynamic_shared_bytes = 0,
                                           const std::optional<Dim3>& cluster = std::nullopt);

/// Where in global memory the kernel finds its parameters, if it takes addresses of them; otherwise 0.
std::uint64_t copy_parameters(const Kernel& kernel, GlobalMemory& memory, const std::vector<std::uint8_t>& bytes);

/// Allocates what cooperative_groups::this_grid() finds its barrier in.
std::uint64_t place_grid_workspace(GlobalMemory& memory);

/// A run of consecutive registers that an instruction reads or writes.
struct RegisterRange {
  std::uint8_t first = kRegisterZero;
  std::uint8_t count = 0;
  std::uint8_t slot = 0;  ///< sources: 0 A, 1 B, 2 C, 3 metadata / further
  bool reuse = false;
};
struct RegisterUse {
  std::array<RegisterRange, 5> sources;
  int source_count = 0;
  std::array<RegisterRange, 2> dests;
  int dest_count = 0;
};
/// Consecutive registers that operands A, B and C take each, general or uniform.
struct SourceCounts {
  int a = 1, b = 1, c = 1;
};
SourceCounts source_counts(const Instruction& instruction);

/// General registers read and written (RZ left out). Shapes of memory and matrix operations included.
RegisterUse register_use(const Instruction& instruction);

/// Mnemonic without operands as disassemblers print it, e.g. "HMMA.SP.16832.F32".
std::string mnemonic(const Instruction& instruction);

}  // namespace stc::isa
