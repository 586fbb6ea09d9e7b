// SPDX-License-Identifier: Apache-2.0
// Models:   the load/store unit (LSU): the road of memory instructions from the queues of the sub-cores through tags and
//           data stage to L2 and back.
// Evidence: configs/gpus/*.yaml, sm.lsu: bursts (micro_burst, micro_behind) and loops (micro_copies, micro_parts,
//           micro_shared) on an H200; Huerta et al. 2025, tables 1 and 2.
// Abstracts: replays; the split of the load/store pipe into its units.
// Timing:   the SM serves instructions in the order in which its queue took them; shared accesses complete in order,
//           global ones when the last sector has arrived.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/core/statistics.h"
#include "models/sm/cluster_network.h"
#include "models/sm/data_stage.h"
#include "models/sm/event_queue.h"
#include "models/sm/global_access.h"
#include "models/sm/issue_info.h"
#include "models/sm/mbarrier_unit.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/memory_queues.h"
#include "models/sm/pending_reads.h"
#include "models/sm/return_path.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class Lsu {
 public:
  using Send = GlobalAccess::Send;
  /// What goes to another CTA of the warp's cluster leaves at `cycle`.
  using SendRemote = std::function<void(const MemoryInstruction&, const RemotePart&, std::uint32_t token, Cycle cycle)>;
  /// `params` are the SM's, which all its units read in one place.
  Lsu(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send, SendRemote send_remote);
  void reset(std::uint64_t l1_bytes, Cycle origin);
  /// See GlobalAccess.
  void observe(GlobalAccess::OnL1Hit on_l1_hit) { global_.observe(std::move(on_l1_hit)); }

  // From the sub-cores.
  bool has_room(int sub_core, MemoryKind kind) const { return queues_.has_room(sub_core, kind); }
  /// See MemoryQueues.
  Cycle register_read(int sub_core, Cycle cycle) const { return queues_.register_read(sub_core, cycle); }
  /// A place for the next instruction, which enqueue() then takes.
  MemoryInstruction& next_place() { return queues_.next_place(); }
  void enqueue() {
    queues_.push();
    next_known_ = false;
  }
  /// See MemoryQueues.
  void matrix_operands(int sub_core, Cycle now, Cycle cycle, int interval) {
    queues_.matrix_operands(sub_core, now, cycle, interval);
  }

  /// A warpgroup's matrix instruction reads operands in `reads` of the cycles from `begin` to `end`.
  /// What accesses have taken of the time of matrix instructions, since this was asked last.
  Cycle forced_cycles() { return data_.forced_cycles(); }
  void warpgroup_operands(Cycle begin, Cycle end, const WarpgroupTiming& timing) {
    data_.operands().add(begin, end, timing.reads, timing.registers);
  }

  /// Moves what can move at `now`. Returns true when a sub-core's queue got room.
  bool tick(Cycle now);
  /// To be called when all has happened that happens in a cycle.
  void end_cycle() { global_.end_cycle(); }
  /// Whether tick() at `now` may depend on until when stores that were sent are held up.
  bool may_store(Cycle now) { return now >= next() && queues_.may_store_next(); }
  /// Next cycle at which tick() may do something, kNever when nothing is queued.
  Cycle next();

  // From L2.
  /// Stores already sent wait until `cycle`: the next ones do not leave before.
  void hold_stores(Cycle cycle) { global_.hold_stores(cycle); }
  /// Stores lines of a bulk copy; returns when they have left.
  Cycle bulk_store(const MemoryInstruction& lines, Cycle now) { return global_.write(lines, now); }
  /// When the stores that have come have left.
  Cycle stores_left() const { return global_.stores_left(); }
  /// A line asked for with `token` will have arrived at `arrival`.
  void response(std::uint32_t token, Cycle arrival) { global_.response(token, arrival); }
  /// When response() lets something happen at the soonest.
  Cycle soonest_after(Cycle arrival) const {
    return arrival - static_cast<Cycle>(params_.queue_latency + params_.reading_cycles(LsuParams::kMostCounted));
  }
  /// The event that response() asked for: all lines of `token` are here.
  void data_arrived(std::uint32_t token, Cycle now);
  /// That will be called soon.
  void expect_data(std::uint32_t token) const { global_.expect(token); }

  // From other SMs of a cluster.
  /// A part of another SM's instruction enters at `now`: the cycle at which its reply has left.
  Cycle serve_remote(const RemotePart& part, Cycle now);
  /// The reply to a part of `token` is here.
  void remote_reply(std::uint32_t token, int packets, Cycle now);

 private:
  Cycle next_move() const;

  // The SM's queue: when its first instruction is served, and how long the next one waits.
  bool serve(Cycle now);
  Cycle served_from(const MemoryInstruction& instruction) const;
  int way_of(const MemoryInstruction& instruction) const;
  Cycle entrance_cycles(const MemoryInstruction& instruction) const;
  void process(const MemoryInstruction& instruction, Cycle now);

  // What each kind does.
  void shared_access(const MemoryInstruction& instruction, Cycle now);
  void mbarrier_access(const MemoryInstruction& instruction, Cycle now);
  void global_load(const MemoryInstruction& instruction, Cycle now);
  void global_store(const MemoryInstruction& instruction, Cycle now);
  void copy_fence(const MemoryInstruction& instruction, Cycle now);
  void remote_access(const MemoryInstruction& instruction, Cycle now);

  // Their parts.
  Cycle copy_written(const MemoryInstruction& copy, Cycle now);
  int held_by_matrix(const MemoryInstruction& copy) const {
    return copy.beside_matrix ? params_.copy_matrix_cycles : 0;
  }
  int behind_queue(const MemoryInstruction& instruction, int latency) const;
  Cycle sources_read(const MemoryInstruction& instruction, Cycle now) const;
  void release(const MemoryInstruction& instruction, std::uint8_t scoreboard, Cycle cycle);

  const LsuParams& params_;
  const int warps_;
  EventQueue& events_;
  const SendRemote send_remote_;
  MemoryQueues queues_;
  DataStage data_;
  MbarrierUnit mbarriers_;
  GlobalAccess global_;
  ReturnPath returns_;
  ClusterPort cluster_;
  PendingReads replies_;      // instructions that wait for other SMs
  Cycle entrance_free_ = 0;   // when the next instruction can leave the SM's queue
  bool behind_idle_ = false;  // no lane took part in the shared access before
  // Of next(); what comes from outside but for further instructions only makes it later.
  Cycle next_ = kNever;
  bool next_known_ = false;
};

}  // namespace stc::sm
