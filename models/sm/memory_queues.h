// SPDX-License-Identifier: Apache-2.0
// Models:   where memory instructions wait: the queue of each sub-core and the SM's, which all of them fill in turn
//           (memory input/output queue, MIO) and whose first instruction has the entrance (LSU issue port) next.
// Evidence: see lsu.h.
// Abstracts: see lsu.h.
// Timing:   a sub-core sends one instruction per address_interval, or more slowly when its registers are read for more,
//           and the SM takes one per sm_interval, and serves it when its registers are read. A matrix instruction has
//           the ports of the registers for matrix_port_cycles from its issue on, fewer if another can follow so soon;
//           it waits until the register is read that is being read, no longer, and what is left to read waits for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class MemoryQueues {
 public:
  MemoryQueues(const LsuParams& params, int sub_cores)
      : params_(params), sub_cores_(static_cast<std::size_t>(sub_cores)) {}
  void reset();

  /// What comes without data has one place more than the others.
  bool has_room(int sub_core, MemoryKind kind) const {
    return queued(sub_core) < params_.queue_entries + (kind == MemoryKind::kStatus ? 1 : 0);
  }
  /// The first cycle from `cycle` on in which no register of a memory instruction of `sub_core` is half read.
  Cycle register_read(int sub_core, Cycle cycle) const {
    const SubCoreQueue& from = sub_cores_[static_cast<std::size_t>(sub_core)];
    const Cycle until = from.reading != nullptr ? from.read : 0;
    const auto each = static_cast<Cycle>(params_.operand_cycles);
    return until <= cycle || each == 0 ? cycle : cycle + (until - cycle) % each;
  }
  /// A place for the next instruction, which push() then takes.
  MemoryInstruction& next_place();
  void push();
  /// `sub_core` collects operands of a matrix instruction from `now` until `cycle`, and can begin the next one
  /// `interval` cycles from now.
  void matrix_operands(int sub_core, Cycle now, Cycle cycle, int interval) {
    SubCoreQueue& from = of(sub_core);
    from.collecting_until = cycle;
    const auto taken = static_cast<Cycle>(std::clamp(interval - 1, 0, params_.matrix_port_cycles));
    if (from.reading != nullptr && from.read > now) {
      from.read += taken;
      from.sends += taken;
    }
    from.ports_free = std::max(from.ports_free, now) + taken;
  }
  /// Whether the SM's queue takes an instruction at `now`, if a sub-core can send one.
  bool takes_at(Cycle now) const { return now >= state_.arrival_free && may_move(); }
  /// The next instruction that can goes from its sub-core to the SM's queue at `now`, which takes it. Returns it, or
  /// nullptr.
  const MemoryInstruction* move(Cycle now);
  /// Next cycle at which one can.
  Cycle next() const;

  // The SM's queue.
  bool empty() const { return state_.sm.empty(); }
  const MemoryInstruction& front() const { return *state_.sm.front(); }
  /// When its registers are read.
  Cycle front_read() const {
    const MemoryInstruction* const first = state_.sm.front();
    const SubCoreQueue& from = sub_cores_[first->sub_core];
    return from.reading == first ? from.read : 0;
  }
  /// Whether the next instruction to be served may be a store or an atomic of global memory.
  bool may_store_next() const;
  /// Takes the first instruction off; it holds until the next push.
  const MemoryInstruction& pop();

 private:
  struct SubCoreQueue {
    RingQueue<MemoryInstruction*> queue;
    Cycle through = 0;                           // when the first has been in it for its latency
    const MemoryInstruction* reading = nullptr;  // sent last, while it may still read registers
    Cycle read = 0;                              // when it has read them
    Cycle sends = 0;                             // when the next one can be sent behind it
    Cycle ports_free = 0;                        // when the ports of its registers are free for the next one's
    Cycle collecting_until = 0;                  // the ports of its registers serve the tensor core
  };
  struct State {
    RingQueue<MemoryInstruction*> sm;  // of all sub-cores, oldest first
    Cycle arrival_free = 0;            // when the SM's queue can take the next instruction
    std::size_t turn = 0;              // the sub-core that is asked first
    int registers = 0;                 // that the instructions in the SM's queue count as
    int waiting = 0;                   // instructions in the queues of sub-cores
  };

  SubCoreQueue& of(int sub_core) { return sub_cores_[static_cast<std::size_t>(sub_core)]; }
  int queued(int sub_core) const {
    return static_cast<int>(sub_cores_[static_cast<std::size_t>(sub_core)].queue.size());
  }
  bool may_move() const {
    return state_.waiting != 0 && static_cast<int>(state_.sm.size()) < params_.sm_queue_entries &&
           state_.registers < params_.sm_queue_registers;
  }
  Cycle through(const MemoryInstruction& first) const {
    return first.issued + static_cast<Cycle>(params_.queue_latency);
  }
  Cycle ready(const SubCoreQueue& from) const;
  Cycle reading_cycles(const MemoryInstruction& instruction) const {
    return static_cast<Cycle>(params_.operand_cycles * instruction.source_registers);
  }
  Cycle sending_cycles(const MemoryInstruction& instruction) const;
  /// As how many an instruction counts in the SM's queue.
  int held_registers(const MemoryInstruction& instruction) const;

  const LsuParams& params_;
  std::vector<SubCoreQueue> sub_cores_;
  State state_;
  std::vector<std::unique_ptr<MemoryInstruction>> places_;  // for what the queues hold, used again and again
  std::vector<MemoryInstruction*> unused_;
};

}  // namespace stc::sm
