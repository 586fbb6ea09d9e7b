// SPDX-License-Identifier: Apache-2.0
// Models:   the road of memory instructions: a queue per sub-core, the SM's queue, tags, lines on their way to L2, data
//           stage, return path.
// Evidence: configs/gpus/*.yaml, sm.lsu: bursts (micro_burst, micro_behind) and loops (micro_copies, micro_shared) on
//           an H200; Huerta et al. 2025, tables 1 and 2. What stores leave in L1: h200/foreign.csv, programs that read
//           what they wrote (numeric/tridiagonal, sorts/insertion_local).
// Atomics:  a line leaves in packets of lanes at different addresses, over the port of stores; measured: micro_rate_*.
// Abstracts: replays; bytes of a word that a store left in L1; the split of the load/store pipe into its units; what
//           delays the collection of a matrix instruction's operands, when it is asked whether a copy leaves beside it.
// Timing:   a sub-core sends one instruction per address_interval, the SM takes one per sm_interval, from the sub-cores
//           in turn, and serves them in the order in which they came; shared accesses complete in order; global ones
//           when the last sector has arrived.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/core/statistics.h"
#include "models/memory/line_request.h"
#include "models/memory/sector_cache.h"
#include "models/sm/cluster_network.h"
#include "models/sm/data_stage.h"
#include "models/sm/event_queue.h"
#include "models/sm/line_queue.h"
#include "models/sm/local_stores.h"
#include "models/sm/mbarrier_unit.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class Lsu {
 public:
  using Send = std::function<void(const LineQuery&)>;
  /// What goes to another CTA of the warp's cluster leaves at `cycle`.
  using SendRemote = std::function<void(const MemoryInstruction&, const RemotePart&, std::uint32_t token, Cycle cycle)>;
  Lsu(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send, SendRemote send_remote);

  bool has_room(int sub_core) const;
  void enqueue(const MemoryInstruction& instruction);
  /// `sub_core` collects operands of a matrix instruction until `cycle`.
  void matrix_operands(int sub_core, Cycle cycle) { collecting_until_[static_cast<std::size_t>(sub_core)] = cycle; }
  /// Moves what can move at `now`. Returns true when a sub-core's queue got room.
  bool tick(Cycle now);
  /// Next cycle at which tick() can do something, kNever when nothing is queued.
  Cycle next() const;
  /// Stores already sent wait until `cycle`: the next ones do not leave before.
  void hold_stores(Cycle cycle);
  /// A line asked for with `token` will have arrived at `arrival`.
  void response(std::uint32_t token, Cycle arrival);
  /// The event that response() asked for: all lines of `token` are here.
  void data_arrived(std::uint32_t token, Cycle now);
  /// A part of another SM's instruction enters at `now`: the cycle at which its reply has left.
  Cycle serve_remote(const RemotePart& part, Cycle now);
  /// The reply to a part of `token` is here.
  void remote_reply(std::uint32_t token, int packets, Cycle now);
  bool idle() const;
  void reset(std::uint64_t l1_bytes);

 private:
  struct Pending {  // a load or copy that waits for lines
    MemoryInstruction instruction;
    int lines_left = 0;
    Cycle latest = 0;
    std::uint32_t asked = 0;  // lines of the instruction that L2 was asked for and L1 keeps
  };
  struct Follower {  // waits for sectors that another instruction has asked for
    std::uint64_t line = 0;
    std::uint8_t sectors = 0;
    std::uint32_t token = 0;
  };

  Cycle ready(int sub_core) const;
  bool sm_has_room() const { return static_cast<int>(sm_queue_.size()) < params_.sm_queue_entries; }
  bool send_to_sm(Cycle now);
  Cycle sending_cycles(const MemoryInstruction& instruction) const;
  bool serve(Cycle now);
  int held_by_matrix(const MemoryInstruction& copy) const {
    return copy.beside_matrix ? params_.copy_matrix_cycles : 0;
  }
  Cycle entrance_cycles(const MemoryInstruction& instruction) const;
  int port_cycles(const MemoryInstruction& atomic, const LineAccess& access) const;
  Cycle served_from(const MemoryInstruction& instruction) const;
  Cycle sources_read(const MemoryInstruction& instruction, Cycle now) const;
  void process(const MemoryInstruction& instruction, Cycle now);
  void mbarrier_access(const MemoryInstruction& instruction, Cycle now);
  void shared_access(const MemoryInstruction& instruction, Cycle now);
  void global_load(const MemoryInstruction& instruction, Cycle now);
  void global_store(const MemoryInstruction& instruction, Cycle now);
  /// What a store leaves in L1: words that a later load finds there.
  void keep_stored(const MemoryInstruction& instruction, const LineAccess& access);
  void remote_access(const MemoryInstruction& instruction, Cycle now);
  void copy_fence(const MemoryInstruction& instruction, Cycle now);
  Cycle copy_written(const MemoryInstruction& copy, Cycle now);
  /// Sectors found in L1, those that wait for another instruction's answer among them; `ready`: when the others are
  /// here.
  std::uint8_t look_up_l1(std::uint32_t token, const LineAccess& access, Cycle now, Cycle& ready);
  void release(const MemoryInstruction& instruction, std::uint8_t scoreboard, Cycle cycle);
  Cycle return_path(const MemoryInstruction& instruction, Cycle first_register);
  /// Marks the lines in L1 that `token` asked for and tells those who follow.
  void lines_arrived(std::uint32_t token);
  void serve_followers(const LineAccess& arrived, Cycle latest);
  std::uint32_t new_token(const MemoryInstruction& instruction);

  const LsuParams params_;
  const int l1_ways_;
  EventQueue& events_;
  SmStatistics& statistics_;
  Send send_;
  SendRemote send_remote_;
  ClusterPort port_;
  Cycle remote_atomic_free_ = 0;  // when lanes of other SMs at one address have had their turns
  const ClusterParams cluster_;

  std::vector<std::deque<MemoryInstruction>> queue_;  // per sub-core
  std::vector<Cycle> operands_free_;                  // per sub-core: when it can send the next instruction
  std::vector<Cycle> collecting_until_;               // per sub-core: the ports of its registers serve the tensor core
  std::vector<Cycle> return_free_;                    // per sub-core
  std::deque<MemoryInstruction> sm_queue_;            // of all sub-cores, oldest first
  Cycle arrival_free_ = 0;                            // when the SM's queue can take the next instruction
  Cycle entrance_free_ = 0;                           // when the next one can leave it
  Cycle tag_free_ = 0;
  Cycle store_free_ = 0;  // when the port for stored data is free
  int turn_ = 0;
  DataStage data_;
  MbarrierUnit mbarriers_;
  LineQueue lines_;
  LocalStores local_stores_;
  memory::SectorCache l1_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> free_tokens_;
  std::vector<Follower> followers_;  // none with the built-in device memory, which tells the time in the same cycle
  int outstanding_ = 0;
};

}  // namespace stc::sm
