// SPDX-License-Identifier: Apache-2.0
// Models:   one sub-core: warp scheduler, register-file read ports, math pipes, the tensor core's front door.
// Evidence: control codes: Huerta et al. 2025; intervals: configs/gpus/*.yaml.
// Abstracts: its own small instruction cache and decode.
// Timing:   at most one instruction per cycle; a warp may issue when its stall count ran out, its instruction is here,
//           its scoreboards are zero, the pipe takes an instruction and, for memory, the queue has room. Which of them
//           does says warp_scheduler.h.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/core/statistics.h"
#include "models/sm/instruction_cache.h"
#include "models/sm/issue_info.h"
#include "models/sm/register_ports.h"
#include "models/sm/sm_params.h"
#include "models/sm/tensor_core_port.h"
#include "models/sm/warp_context.h"
#include "models/sm/warp_scheduler.h"

namespace stc::sm {

/// What the sub-core asks of the SM around it.
class SubCoreHost {
 public:
  virtual ~SubCoreHost() = default;
  /// Executes and sends on the next instruction of `warp`.
  virtual void issue(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info, Cycle now) = 0;
  virtual bool memory_queue_has_room(int sub_core, MemoryKind kind) const = 0;
  /// The first cycle from `cycle` on in which no register of a memory instruction of `sub_core` is half read.
  virtual Cycle memory_register_read(int sub_core, Cycle cycle) const = 0;
  /// Cycle from which a bulk load can be issued, as far as is known.
  virtual Cycle bulk_room() const = 0;
  /// Cycle from which instructions of code line `line` can be issued, asked for at `now`.
  virtual Cycle fetch(std::uint32_t line, Cycle now) = 0;
  /// `warp` spent [begin, end) so. Called only when somebody listens.
  virtual void spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end) = 0;
  /// The tensor core cannot compute an instruction.
  virtual void fail(std::exception_ptr fault) = 0;
};

class SubCore {
 public:
  /// `tensor_core_steps`: give it a tensor core that computes in steps, so; else the schedule alone times it. `params`
  /// are the SM's, which all its units read in one place. `wake` is where the SM sees when it is to call look(): the
  /// next cycle at which it could issue, as far as is known.
  SubCore(int index, const SmParams& params, SmStatistics& statistics, SubCoreHost& host, Cycle& wake,
          const std::optional<arith::Numerics>& tensor_core_steps);

  /// `computes`: values of matrix products, not their addresses alone; `observed`: tell the SM what warps spend their
  /// cycles on.
  void reset(const isa::Kernel* kernel, const std::vector<IssueInfo>* infos, bool computes, bool observed);
  void add(WarpContext& warp, Cycle now);
  void remove(WarpContext& warp);
  /// Issues at most one instruction.
  void look(Cycle now);
  /// Something changed at `now` that a warp may have waited for.
  void wake(Cycle now) {
    wake_ = std::min(wake_, now);
    woken_ = true;
  }
  /// A scoreboard of `warp` was released, or its copies have landed: nothing to a warp that does not wait.
  void released(const WarpContext& warp, Cycle now) {
    if (warp.waiting || queue_full_for_ != MemoryKind::kNone) wake(now);
  }
  /// A memory queue got room. If it is another sub-core's, nothing here can issue that could not before.
  void queue_moved(Cycle now) {
    if (queue_full_for_ == MemoryKind::kNone) return;
    if (host_.memory_queue_has_room(index_, queue_full_for_)) {
      wake(now);
    } else if (wake_ > now) {
      state_.queue_full_until = now + 1;  // as who looks would find
    }
  }
  bool empty() const { return warps_.empty(); }
  /// Null unless the tensor core computes in steps.
  TensorCorePort* tensor_core() { return tensor_core_.get(); }
  /// One line per warp: where it stands and what it waits for.
  std::string describe_warps() const;

 private:
  /// A warp and when it is worth looking at: what it waits for is mostly known from the last time.
  struct Resident {
    enum class Until : std::uint8_t {
      kThen,   ///< before `when` nothing can change
      kWake,   ///< nor can it, unless the SM says that something did
      kPorts,  ///< nor then, if another warp has taken the pipe or the ports of the registers in the meantime
      kAny     ///< it is looked at every time
    };
    WarpContext* warp;
    const IssueInfo* info = nullptr;  ///< of its next instruction, once that was looked at
    Cycle when = 0;
    Until until = Until::kThen;
  };

  Cycle earliest(Resident& resident, Cycle now);
  Cycle earliest_of_next(Resident& resident, Cycle now);
  Cycle port_free(Resident& resident, const IssueInfo& info, Cycle now);
  static Cycle waits(Resident& resident, Resident::Until until, Cycle when) {
    resident.until = until;
    return resident.when = when;
  }
  /// It is looked at every time, since `when` is not known.
  static Cycle waits_for_any(Resident& resident, Cycle when) {
    resident.until = Resident::Until::kAny;
    resident.when = 0;
    return when;
  }
  bool looks_again(const Resident& resident, Cycle now) const {
    return resident.when <= now || (woken_ && resident.until == Resident::Until::kWake);
  }
  Cycle fetch(WarpContext& warp, std::uint32_t line, Cycle now);
  Cycle phase_wait(WarpContext& warp, const isa::Instruction& instruction, Cycle now) const;
  static bool scoreboards_clear(const WarpContext& warp, const IssueInfo& info, Stall& blocked_by);
  Pipe pipe_of(const IssueInfo& info) const;
  Cycle pipe_ready(const IssueInfo& info) const;
  Cycle switch_cycles(const IssueInfo& info) const;
  Cycle operands_ready(const WarpContext& warp, const IssueInfo& info) const;
  void issue(Resident& resident, Cycle now);
  void expect_next(const WarpContext& warp) const;
  Cycle second_half(const WarpContext& warp, const IssueInfo& info, Cycle now);
  Cycle next_after_issue(Cycle now);
  Cycle next_of_warps();
  Cycle next_beside_queue();
  Cycle ready(const WarpContext& warp, const IssueInfo& info) const {
    return std::max(pipe_ready(info), operands_ready(warp, info));
  }
  void account(WarpContext& warp, const IssueInfo& info, Cycle now);
  Cycle occupy(const WarpContext& warp, const IssueInfo& info, Cycle now);
  void account_wait(WarpContext& warp, const IssueInfo& info, Cycle now);

  const int index_;
  const SmParams& params_;
  SmStatistics& statistics_;
  SubCoreHost& host_;
  Cycle& wake_;
  const isa::Kernel* kernel_ = nullptr;
  const std::vector<IssueInfo>* infos_ = nullptr;
  bool computes_ = false;
  bool observed_ = false;

  struct State {
    std::array<Cycle, kPipes> pipe_free{};
    Cycle collect_free = 0;        // when operand collection of the tensor core can begin again
    bool collects_dense = false;   // whether that is for a dense instruction
    bool collects_floats = false;  // and for one of floating point
    Cycle queue_full_until = 0;    // for the account: when the memory queue last got room
  };

  std::vector<Resident> warps_;  // youngest first
  bool woken_ = false;           // since all warps that wait to be woken were looked at
  /// What a warp could issue else, when it was looked at last: of several that which has more room than others.
  MemoryKind queue_full_for_ = MemoryKind::kNone;
  WarpScheduler scheduler_;
  RegisterPorts ports_;
  State state_;
  std::unique_ptr<TensorCorePort> tensor_core_;
};

}  // namespace stc::sm
