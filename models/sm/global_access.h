// SPDX-License-Identifier: Apache-2.0
// Models:   the way of accesses to global and local memory from the tags of L1 to L2, and of the answers back.
// Evidence: configs/gpus/*.yaml, sm.lsu; atomics leave in packets of lanes at different addresses, over the port of
//           stores: micro_rate_*.
// Abstracts: replays.
// Timing:   tags look up tag_lines_per_cycle lines of an instruction; lines that miss leave one per line_interval, and
//           an instruction's data are here with the last of them.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/core/statistics.h"
#include "models/sm/event_queue.h"
#include "models/sm/l1_cache.h"
#include "models/sm/line_queue.h"
#include "models/sm/local_stores.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/pending_reads.h"
#include "models/sm/sm_params.h"
#include "models/sm/store_port.h"

namespace stc::sm {

class GlobalAccess {
 public:
  using Send = std::function<void(const LineQuery&)>;
  /// Reads whose data are here become events (kDataArrived) in `events`.
  GlobalAccess(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send);
  void reset(std::uint64_t l1_bytes);
  /// `on_l1_hit` hears of every counted hit; empty: nobody does.
  using OnL1Hit = std::function<void(const MemoryInstruction& of, int sectors)>;
  void observe(OnL1Hit on_l1_hit) { on_l1_hit_ = std::move(on_l1_hit); }

  /// From when on there is room for the instruction.
  Cycle room_from(const MemoryInstruction& instruction) const;
  /// A load, atomic or copy begins at `now`.
  void read(const MemoryInstruction& instruction, Cycle now);
  /// A store begins at `now`. Returns when its data have left the SM.
  Cycle write(const MemoryInstruction& instruction, Cycle now);
  /// The port of stores takes nothing before `cycle`.
  void hold_stores(Cycle cycle) { stores_.hold(cycle); }
  /// When the stores that have come have left.
  Cycle stores_left() const { return stores_.free_from(); }
  /// To be called when all has begun that begins in a cycle.
  void end_cycle();
  /// A line asked for with `token` will have arrived at `arrival`; told after the end of the cycle in which it was.
  void response(std::uint32_t token, Cycle arrival);
  /// All lines of the read with `token` are here: it ends. Returns its instruction, which holds until the next read.
  const MemoryInstruction& close(std::uint32_t token) { return pending_.close(token); }
  /// That will come soon.
  void expect(std::uint32_t token) const { pending_.expect(token); }

 private:
  Cycle look_up_tags(const MemoryInstruction& instruction, Cycle now);
  bool read_from_l1(std::uint32_t token, LineAccess& access, Cycle now, Cycle& hits_ready);
  void ask_l2(std::uint32_t token, const MemoryInstruction& instruction, const LineAccess& access, Cycle now);
  int port_cycles(const MemoryInstruction& atomic, const LineAccess& access) const;
  void keep_stored(const MemoryInstruction& instruction, int line, Cycle now, Cycle through);
  void all_asked(std::uint32_t token);
  void arrived(std::uint32_t token);
  ReadNumber number_of(std::uint32_t token) { return ReadNumber{pending_[token].number} << 32 | token; }

  const LsuParams& params_;
  EventQueue& events_;
  SmStatistics& statistics_;
  const Send send_;
  OnL1Hit on_l1_hit_;
  L1Cache l1_;
  LocalStores local_stores_;
  PendingReads pending_;
  std::vector<std::uint32_t> asking_;  // tokens of reads that have asked L2 in this cycle
  LineQueue lines_;
  StorePort stores_;
  Cycle tag_free_ = 0;
};

}  // namespace stc::sm
