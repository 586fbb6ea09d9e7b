// SPDX-License-Identifier: Apache-2.0
// Models:   one streaming multiprocessor: sub-cores, load/store unit, barriers, CTA slots, its port to the crossbar.
// Evidence: configs/gpus/*.yaml, sm.
// Abstracts: constant caches.
// Timing:   one process; it runs in cycles in which something can happen and sleeps through the others.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/probe.h"
#include "models/core/statistics.h"
#include "models/dependence/warp_dependences.h"
#include "models/isa/values/execute.h"
#include "models/memory/line_request.h"
#include "models/sm/barrier_unit.h"
#include "models/sm/cluster.h"
#include "models/sm/constant_cache.h"
#include "models/sm/event_queue.h"
#include "models/sm/instruction_cache.h"
#include "models/sm/issue_info.h"
#include "models/sm/lsu.h"
#include "models/sm/progress_watch.h"
#include "models/sm/sm_params.h"
#include "models/sm/sub_core.h"

namespace stc::sm {

/// What all SMs of a launch share; read-only but for `memory`.
struct LaunchContext {
  const isa::Kernel* kernel = nullptr;
  const std::vector<IssueInfo>* infos = nullptr;
  const dependence::KernelUses* dependences = nullptr;  ///< null: they are not checked
  isa::GlobalMemory* memory = nullptr;
  isa::DeviceHeap* heap = nullptr;
  isa::DeviceOutput* output = nullptr;
  const arith::Numerics* numerics = nullptr;
  isa::Values values = isa::Values::kFull;
  bool tensor_core_steps = false;  ///< tensor cores compute what they time
  isa::Dim3 grid, block;
  std::optional<isa::Dim3> cluster;        ///< CTAs per cluster; none: no clusters
  std::uint32_t shared_bytes_per_cta = 0;  ///< static, dynamic and reserved
  std::vector<std::uint8_t> constant0;
  int ctas_per_sm = 1;
  int cta_launch_latency = 0;
  bool caches_emptied = false;
  double clock_mhz = 1000.0;
  Cycle start_cycle = 0;  ///< SystemC cycle at which the launch began
  isa::Poison* poison = nullptr;
  isa::UnsetSymbols* unset_symbols = nullptr;
  Probe* probe = nullptr;          ///< null: nobody listens
  std::uint32_t shuffle_seed = 0;  ///< not 0: SMs run in another order within a cycle (a test)
};

class StreamingMultiprocessor : public sc_core::sc_module, private SubCoreHost {
 public:
  SC_HAS_PROCESS(StreamingMultiprocessor);
  /// `tensor_core_steps`: build tensor cores that can compute in steps, by these rules; a launch chooses whether they
  /// do.
  StreamingMultiprocessor(sc_core::sc_module_name name, int index, int partition, const SmParams& params,
                          const std::optional<arith::Numerics>& tensor_core_steps = std::nullopt);

  tlm_utils::simple_initiator_socket<StreamingMultiprocessor> to_crossbar;

  /// Called when a CTA has ended.
  std::function<void(int sm, const CtaRecord&)> on_cta_end;
  /// Called with a fault of the simulated program; the simulation is to stop.
  std::function<void(std::exception_ptr)> on_fault;

  void begin_launch(const LaunchContext* launch);
  /// Issues nothing more until the next launch begins; what is under way still ends.
  void halt() { halted_ = true; }
  int free_slots() const { return launch_->ctas_per_sm - resident_; }
  /// Places a CTA; its warps may issue cta_launch_latency after `dispatch`. `cluster`: the CTAs that it belongs with,
  /// if any, and its rank there.
  void start_cta(std::uint64_t linear_index, Cycle dispatch, std::shared_ptr<Cluster> cluster = nullptr,
                 std::uint32_t rank = 0);
  /// Something from another SM of a cluster is on its way here.
  void receive(ClusterMessage message);
  /// The barrier of cluster `number`, to which the CTA in `slot` belongs, opens at `cycle`.
  void open_cluster_barrier(int slot, std::uint32_t number, Cycle cycle);
  int resident() const { return resident_; }
  const SmStatistics& statistics() const { return statistics_; }
  std::string describe_warps() const;
  /// Begins a span of time in which progress is looked for.
  void begin_span(ProgressWatch::Stage stage) { progress_.begin_span(stage, now_cycle()); }
  /// Whether memory may have changed, a thread ended or a CTA started in this span.
  bool progressed() const { return progress_.progressed(); }
  /// Whether no warp gets anywhere any more; see ProgressWatch.
  bool stands_still() const;

 private:
  struct CtaSlot {
    isa::CtaState state;
    CtaBarriers barriers;
    std::shared_ptr<Cluster> cluster;  ///< none: the CTA is alone
    CtaRecord record;
    int warps_left = 0;      ///< that have not exited
    int warps_resident = 0;  ///< and those whose stores have not left
    bool used = false;
  };

  void run();
  void tick(Cycle now);
  void handle(const Event& event);
  void issue(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now) override;
  bool memory_queue_has_room(int sub_core) const override { return lsu_.has_room(sub_core); }
  Cycle fetch(std::uint32_t line, Cycle now) override { return code_.fetch(line, now); }
  WarpPlace place_of(const WarpContext& warp) const;
  void spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end) override;
  void fail(std::exception_ptr fault) override;
  void send_memory(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now);
  void arrive_at_barrier(WarpContext& warp, Cycle now, bool defers);
  void at_cluster_barrier(WarpContext& warp, const isa::Instruction& instruction, Cycle now);
  void open_barrier(const Event& event);
  void send_remote(const MemoryInstruction& instruction, const RemotePart& part, std::uint32_t token, Cycle cycle);
  void send_arrivals(const WarpContext& warp, Cycle now);
  void handle(const ClusterMessage& message, Cycle now);
  void fence(WarpContext& warp, const isa::Instruction& instruction, Cycle now);
  Cycle half_way(const Cluster& cluster) const;
  void wake_suspended(Cycle cycle);
  void copies_landed(WarpContext& warp, Cycle now);
  static int warps_expected(const CtaSlot& slot, std::size_t barrier);
  void open_if_complete(int cta_slot, int barrier, Cycle taken);
  void end_warp(WarpContext& warp, Cycle now);
  void leave(WarpContext& warp, Cycle end);
  void use_matrix_result(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now);
  TensorCorePort& tensor_core_of(const WarpContext& warp) {
    return *sub_cores_[static_cast<std::size_t>(warp.slot % params_.sub_cores)]->tensor_core();
  }
  void check_dependences(const WarpContext& warp, const isa::Instruction& instruction, isa::LaneMask active);
  Cycle branch_end(const IssueInfo& info, Cycle stalled, Cycle now) const;
  void sleep(WarpContext& warp, Cycle now);
  void execute(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info);
  Cycle driver_cycles() const;
  void count_tensor(const isa::Instruction& instruction, const IssueInfo& info);
  std::uint64_t first_local_line(const WarpContext& warp) const;
  void send(const LineQuery& query);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  Cycle now_cycle() const;
  void schedule(Cycle next);
  WarpContext& warp_in(int slot) { return *warps_[static_cast<std::size_t>(slot)]; }

  const int index_;
  const int partition_;
  const SmParams params_;
  const LaunchContext* launch_ = nullptr;

  SmStatistics statistics_;
  EventQueue events_;
  ClusterInbox inbox_;
  std::uint64_t messages_ = 0;  // sent
  Cycle cluster_arrival_free_ = 0;
  Cycle fence_free_ = 0;
  std::vector<std::unique_ptr<SubCore>> sub_cores_;
  Lsu lsu_;
  ConstantCache constants_;
  InstructionCache code_;
  ProgressWatch progress_;
  BarrierUnit barriers_;
  std::vector<CtaSlot> ctas_;
  std::vector<std::unique_ptr<WarpContext>> warps_;       // by slot
  std::vector<dependence::WarpDependences> dependences_;  // by slot, if they are checked
  int resident_ = 0;
  std::uint32_t generations_ = 0;
  Cycle active_since_ = 0;
  std::uint64_t warp_cycles_ = 0;  ///< of the warps that have left, from their CTA's dispatch on
  std::uint64_t phase_ = 0;        ///< ticks into the cycle at which this SM runs
  isa::ExecuteContext context_;
  isa::ExecuteResult result_;
  memory::PayloadPool payloads_;
  sc_core::sc_event wake_;
  bool halted_ = false;
};

}  // namespace stc::sm
