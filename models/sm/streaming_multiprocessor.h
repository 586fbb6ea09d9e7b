// SPDX-License-Identifier: Apache-2.0
// Models:   one streaming multiprocessor: its units, what they tell one another, and when it runs.
// Evidence: see the units.
// Abstracts: see the units.
// Timing:   it acts in cycles in which something can happen, one after the other, and may run ahead of the others
//           (models/gpu/machine/sm_team.h). What others see of a cycle leaves it in a second step, when all SMs have
//           had the first: so they may be run side by side.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/core/statistics.h"
#include "models/sm/barrier_unit.h"
#include "models/sm/bulk_unit.h"
#include "models/sm/cluster_unit.h"
#include "models/sm/constant_cache.h"
#include "models/sm/cta_slots.h"
#include "models/sm/event_queue.h"
#include "models/sm/execution_unit.h"
#include "models/sm/fence_unit.h"
#include "models/sm/instruction_cache.h"
#include "models/sm/issue_delay.h"
#include "models/sm/l2_port.h"
#include "models/sm/launch_context.h"
#include "models/sm/lsu.h"
#include "models/sm/memory_access.h"
#include "models/sm/progress_watch.h"
#include "models/sm/sm_params.h"
#include "models/sm/sub_core.h"
#include "models/sm/warpgroup_unit.h"

namespace stc::sm {

class StreamingMultiprocessor : public sc_core::sc_module, private SubCoreHost {
 public:
  /// `params` must outlive it, as the units keep referring to them. `tensor_core_steps`: build tensor cores that can
  /// compute in steps, by these rules; a launch chooses whether they do.
  StreamingMultiprocessor(sc_core::sc_module_name name, int index, int partition, const SmParams& params,
                          const std::optional<arith::Numerics>& tensor_core_steps = std::nullopt);

  /// Called when it is to run at a cycle; a later call may name an earlier one.
  std::function<void(int sm, Cycle cycle)> on_wake;
  /// Called when L2 has answered something, first since take_answers().
  std::function<void(int sm)> on_answer;
  /// Called when a CTA has ended.
  std::function<void(int sm, const CtaRecord&)> on_cta_end;
  /// Called with a fault of the simulated program; the simulation is to stop.
  std::function<void(std::exception_ptr)> on_fault;

  void begin_launch(const LaunchContext* launch);
  /// Issues nothing more until the next launch begins; what is under way still ends.
  void halt() { halted_ = true; }
  /// What happens in cycle `now` and on until `end`, or until others must have seen a cycle before the next can come.
  /// Touches nothing outside this SM. Of stores before cycle `entered` and atomics before `served` it has been told
  /// until when they are held up. Returns the next cycle in which something can happen, kNever if that is up to others.
  Cycle run(Cycle now, Cycle end, Cycle entered, Cycle served);
  /// Cycles since run() began that have something to publish.
  const std::vector<Cycle>& news() const { return news_; }
  /// Why it does not go on.
  enum class Waits : std::uint8_t {
    kNothing,
    kPublished,  ///< its last cycle is to be published
    kEntered,    ///< stores of cycle awaited() are to enter the crossbar
    kServed,     ///< and atomics are to be served
    kTold        ///< its last cycle is to be published, and tell() called when SystemC's time is there
  };
  Waits waits() const { return waits_; }
  Cycle awaited() const { return awaited_; }
  /// The last cycle that it has acted in.
  Cycle last() const { return last_; }
  /// Cycles that it has acted in since run() began.
  int acted() const { return acted_; }
  /// Loads of `cycle` whose values may have changed since it ran ahead are made again. To be called before anyone
  /// publishes that cycle.
  void repeat_loads(Cycle cycle) { execution_.repeat_loads(cycle); }
  /// Its writes of global memory in `cycle` are made. Returns false if the program has failed by that.
  bool publish(Cycle cycle);
  /// Its requests to L2. What was handed over may leave while it runs.
  L2Port& l2_port() { return l2_port_; }
  /// L2's answers are taken notice of. Returns when they let something happen at the soonest.
  Cycle take_answers();
  /// Tells others of its last cycle: CTAs have ended, the program has failed.
  void tell();
  int free_slots() const { return ctas_.free(); }
  /// Places a CTA; its warps may issue cta_launch_latency after `dispatch`. `cluster`: the CTAs that it belongs with,
  /// if any, and its rank there.
  void start_cta(std::uint64_t linear_index, Cycle dispatch, const std::shared_ptr<Cluster>& cluster = nullptr,
                 std::uint32_t rank = 0);
  int resident() const { return ctas_.resident(); }
  const SmStatistics& statistics() const { return statistics_; }
  std::string describe_warps() const;
  /// Begins a span of time in which progress is looked for.
  void begin_span(ProgressWatch::Stage stage) { progress_.begin_span(stage, now_cycle()); }
  /// Whether memory may have changed, a thread ended or a CTA started in this span.
  bool progressed() const { return progress_.progressed(); }
  /// Whether no warp gets anywhere any more; see ProgressWatch.
  bool stands_still() const;

 private:
  void act(Cycle now);
  Waits waits_behind();
  bool waits_for_port(Cycle now, Cycle entered, Cycle served);
  void tick(Cycle now);
  Cycle next();
  Cycle now_cycle() const;
  void fail(std::exception_ptr fault) override;

  // What sub-cores ask of it.
  void issue(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now) override;
  bool memory_queue_has_room(int sub_core, MemoryKind kind) const override { return lsu_.has_room(sub_core, kind); }
  Cycle memory_register_read(int sub_core, Cycle cycle) const override { return lsu_.register_read(sub_core, cycle); }
  Cycle bulk_room() const override { return bulk_.room(); }
  Cycle fetch(std::uint32_t line, Cycle now) override { return code_.fetch(line, now); }
  void spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end) override {
    tell_spent(warp, reason, begin, end, warp.state.pc);
  }
  void tell_spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end, std::uint32_t address);

  // Where an executed instruction goes.
  void access_memory(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                     const isa::ExecuteResult& result, Cycle now);
  void release_later(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                     const isa::ExecuteResult& result, Cycle now);
  void synchronize(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                   const isa::ExecuteResult& result, Cycle now);
  using DataStageCounts = std::array<std::uint64_t, 3>;
  /// Counters of wavefronts that the data stage takes: shared, of copies, conflicts.
  DataStageCounts data_stage_counts() const {
    return {statistics_.shared_wavefronts, statistics_.copy_wavefronts, statistics_.shared_conflict_wavefronts};
  }
  void tell_wavefronts(const WarpContext& warp, const isa::Instruction& instruction, Cycle now,
                       const DataStageCounts& before);
  void end_warp(WarpContext& warp, const isa::Instruction& instruction, Cycle now);
  void leave(WarpContext& warp, Cycle end);

  void copy_bulk(WarpContext& warp, const isa::Instruction& instruction, const isa::ExecuteResult& result, Cycle now);
  void end_bulk_groups(WarpContext& warp);
  void bulk_landed(std::uint32_t number, Cycle now);
  void multiply(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now);

  // What happens later.
  void handle(const Event& event);
  void handle_for_warp(const Event& event);
  void open_barrier(const Event& event);
  void open_cluster_barrier(const Event& event);
  void let_go(WarpContext& warp, Cycle cycle);
  void copies_landed(WarpContext& warp, Cycle now);
  void wake_suspended(Cycle cycle) { events_.push(cycle, Event::Kind::kPhaseCompleted, 0, 0, 0); }

  bool stands_still(const WarpContext& warp) const;
  SubCore& sub_core_of(const WarpContext& warp) { return *sub_cores_[static_cast<std::size_t>(warp.sub_core)]; }
  WarpPlace place_of(const WarpContext& warp) const;

  const int index_;
  const SmParams& params_;
  const LaunchContext* launch_ = nullptr;

  SmStatistics statistics_;
  EventQueue events_;
  // Of sub-cores, side by side, since all are looked at in every cycle in which it acts; behind them kNever.
  std::vector<Cycle> wakes_;
  std::vector<std::unique_ptr<SubCore>> sub_cores_;
  CtaSlots ctas_;
  ExecutionUnit execution_;
  IssueDelay delay_;
  MemoryAccess access_;
  Lsu lsu_;
  L2Port l2_port_;
  ClusterUnit cluster_;
  BarrierUnit barriers_;
  FenceUnit fences_;
  WarpgroupUnit warpgroups_;
  BulkUnit bulk_;
  ConstantCache constants_;
  InstructionCache code_;
  ProgressWatch progress_;
  bool halted_ = false;
  std::vector<L2Port::Response> inbox_;  ///< since it last ran
  std::vector<Cycle> news_;
  Cycle last_ = 0;          ///< in which it acted
  bool ends_late_ = false;  ///< an instruction of that cycle
  int acted_ = 0;
  Cycle stores_sent_ = 0, atomics_sent_ = 0;  ///< before this cycle, the last of them in the one before
  bool has_fences_ = false;                   ///< of the kernel: they wait until stores have been made
  Cycle acknowledged_ = 0;                    ///< when they will have been
  bool has_bulk_ = false;                     ///< of the kernel: copies of blocks and tensors
  Waits waits_ = Waits::kNothing;
  Cycle awaited_ = 0;
  std::vector<CtaRecord> ended_;  ///< CTAs, in its last cycle
  std::exception_ptr fault_;      ///< of the program, in its last cycle
};

}  // namespace stc::sm
