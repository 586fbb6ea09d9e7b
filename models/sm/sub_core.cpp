// SPDX-License-Identifier: Apache-2.0
#include "models/sm/sub_core.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/text/listing.h"
#include "models/isa/values/divergence.h"

namespace stc::sm {
namespace {

std::size_t index_of(Pipe pipe) { return static_cast<std::size_t>(pipe); }

}  // namespace

SubCore::SubCore(int index, const SmParams& params, SmStatistics& statistics, SubCoreHost& host, Cycle& wake,
                 const std::optional<arith::Numerics>& tensor_core_steps)
    : index_(index),
      params_(params),
      statistics_(statistics),
      host_(host),
      wake_(wake),
      ports_(params.issue.register_read_window) {
  if (!tensor_core_steps) return;
  tensor_core_ = std::make_unique<TensorCorePort>(fmt::format("tensor_core{}", index).c_str(), params.tensor_core,
                                                  *tensor_core_steps);
  tensor_core_->on_fault = [this](std::exception_ptr fault) { host_.fail(fault); };
}

void SubCore::reset(const isa::Kernel* kernel, const std::vector<IssueInfo>* infos, bool computes, bool observed) {
  kernel_ = kernel;
  infos_ = infos;
  computes_ = computes;
  observed_ = observed;
  warps_.clear();
  scheduler_.reset();
  ports_.reset();
  state_ = {};
  wake_ = kNever;
  woken_ = false;
  queue_full_for_ = MemoryKind::kNone;
  if (tensor_core_) tensor_core_->reset();
}

void SubCore::add(WarpContext& warp, Cycle now) {
  warps_.insert(warps_.begin(), Resident{&warp});
  wake(now);
}

void SubCore::remove(WarpContext& warp) {
  const auto is_it = [&warp](const Resident& resident) { return resident.warp == &warp; };
  warps_.erase(std::remove_if(warps_.begin(), warps_.end(), is_it), warps_.end());
  scheduler_.left(warp);
}

void SubCore::look(Cycle now) {
  const WarpContext* chosen = nullptr;
  WarpScheduler::Choice choice(scheduler_);
  Cycle next = kNever;
  bool all = true;
  queue_full_for_ = MemoryKind::kNone;
  for (Resident& resident : warps_) {
    const Cycle when = looks_again(resident, now) ? earliest(resident, now) : resident.when;
    if (when > now) {
      next = std::min(next, when);
      continue;
    }
    const bool multiplies = resident.info->is_tensor, has_waited = resident.warp->ready_from() < now;
    if (scheduler_.stays_with(*resident.warp, multiplies, has_waited)) {
      chosen = resident.warp;
      all = false;
      break;
    }
    const bool core_was_busy = multiplies && has_waited && pipe_ready(*resident.info) > resident.warp->ready_from();
    choice.offer(*resident.warp, {multiplies, resident.info->pipe == Pipe::kMemory, has_waited, core_was_busy});
  }
  if (all) {
    woken_ = false;
    chosen = choice.chosen();
  }
  if (chosen != nullptr) {
    issue(*std::find_if(warps_.begin(), warps_.end(), [&](const Resident& one) { return one.warp == chosen; }), now);
  } else {
    wake_ = queue_full_for_ != MemoryKind::kNone ? next_beside_queue() : next;
  }
}

bool SubCore::scoreboards_clear(const WarpContext& warp, const IssueInfo& info, Stall& blocked_by) {
  if (warp.scoreboard[info.copy_scoreboard] > info.copies_awaited) {
    blocked_by = info.copy_scoreboard == kGroupScoreboard ? Stall::kTensorBusy : Stall::kAsyncCopy;
    return false;
  }
  const std::uint64_t blocking = warp.not_zero(info.awaited);
  if (blocking == 0) return true;
  blocked_by = warp.scoreboard_kind[static_cast<std::size_t>(__builtin_ctzll(blocking)) / 8];
  return false;
}

/// The pipe that takes an instruction: of two, the one that was free first, or else that which takes no integers.
Pipe SubCore::pipe_of(const IssueInfo& info) const {
  const auto free = [this](Pipe pipe) { return state_.pipe_free[index_of(pipe)]; };
  return info.either_fma && free(Pipe::kFmaLite) <= free(info.pipe) ? Pipe::kFmaLite : info.pipe;
}

Cycle SubCore::pipe_ready(const IssueInfo& info) const {
  Cycle ready = state_.pipe_free[index_of(info.pipe)];
  if (info.either_fma) ready = std::min(ready, state_.pipe_free[index_of(Pipe::kFmaLite)]);
  if (info.also_alu) ready = std::max(ready, state_.pipe_free[index_of(Pipe::kAlu)]);
  if (info.is_tensor) ready = std::max(ready, state_.collect_free);
  return ready;
}

/// Products of integers do not follow those of floating point, nor sparse ones dense ones, as soon as their like.
Cycle SubCore::switch_cycles(const IssueInfo& info) const {
  const tensor_core::TensorCoreParams& tensor = params_.tensor_core;
  int cycles = 0;
  if (state_.collects_floats && info.integer_matrix) cycles += tensor.integer_switch_cycles;
  if (state_.collects_dense && info.mma.sparse) cycles += tensor.sparse_switch_cycles;
  return static_cast<Cycle>(cycles);
}

/// A matrix instruction begins with the register file's ports to itself, and has them before arithmetic behind it.
Cycle SubCore::operands_ready(const WarpContext& warp, const IssueInfo& info) const {
  if (info.is_tensor) {
    return ports_.ready(info.factors, warp.slot, static_cast<Cycle>(params_.tensor_core.port_lead_cycles));
  }
  if (!info.fixed_latency || info.source_registers == 0) return 0;
  return ports_.ready(info.reads, warp.slot);
}

Cycle SubCore::earliest(Resident& resident, Cycle now) {
  // What else it has waited for stays as it is until it issues.
  const bool only_ports = resident.until >= Resident::Until::kPorts && !resident.info->waits_for_phase;
  return only_ports ? port_free(resident, *resident.info, now) : earliest_of_next(resident, now);
}

Cycle SubCore::earliest_of_next(Resident& resident, Cycle now) {
  using Until = Resident::Until;
  WarpContext& warp = *resident.warp;
  if (warp.held_at_barrier || warp.waits_for_cluster) return waits(resident, Until::kWake, kNever);
  if (warp.stall_until > now) return waits(resident, Until::kThen, warp.stall_until);
  const auto slot = warp.state.pc / isa::kInstructionBytes;
  const IssueInfo& info = (*infos_)[slot];
  resident.info = &info;
  if (warp.at_barrier && info.waits_at_barrier) {
    warp.held_at_barrier = true;
    return waits(resident, Until::kWake, kNever);
  }
  if (warp.at_cluster_barrier && info.waits_for_cluster) {
    warp.waits_for_cluster = true;
    return waits(resident, Until::kWake, kNever);
  }
  const auto line = static_cast<std::uint32_t>(warp.state.pc / kCodeLineBytes);
  if (line != warp.fetched_line) {
    const Cycle fetched = fetch(warp, line, now);
    if (fetched > now) return waits(resident, Until::kThen, fetched);
  }
  if (!scoreboards_clear(warp, info, warp.waited_for)) {
    warp.waiting = true;
    return waits(resident, Until::kWake, kNever);
  }
  if (info.waits_for_phase) {
    const Cycle over = phase_wait(warp, kernel_->code[slot], now);
    if (over > now) return waits(resident, Until::kWake, over);  // a completed phase wakes this sub-core
  }
  if (warp.waiting) {
    warp.waiting = false;
    warp.wait_cleared = now;
  }
  return port_free(resident, info, now);
}

Cycle SubCore::port_free(Resident& resident, const IssueInfo& info, Cycle now) {
  using Until = Resident::Until;
  if (info.takes_bulk_place && host_.bulk_room() > now) {
    resident.warp->waiting = true;
    resident.warp->waited_for = Stall::kMemoryQueue;
    return waits(resident, Until::kThen, host_.bulk_room());
  }
  Cycle free = pipe_ready(info);
  if (info.is_tensor || !ports_.free_at(info.reads, now)) free = std::max(free, operands_ready(*resident.warp, info));
  if (info.is_tensor) free = host_.memory_register_read(index_, std::max(free, now));
  if (free > now) return waits(resident, Until::kPorts, free);
  if (info.pipe == Pipe::kMemory && !host_.memory_queue_has_room(index_, info.memory)) {
    state_.queue_full_until = now + 1;
    if (queue_full_for_ != MemoryKind::kStatus) queue_full_for_ = info.memory;
    return waits_for_any(resident, kNever);  // room in the queue wakes this sub-core
  }
  return waits_for_any(resident, now);
}

/// When TRYWAIT can issue: once its phase is complete, or it has waited long enough to be told that it is not.
Cycle SubCore::phase_wait(WarpContext& warp, const isa::Instruction& instruction, Cycle now) const {
  if (warp.suspended_until == 0) warp.suspended_until = now + static_cast<Cycle>(params_.mbarrier.try_wait_cycles);
  if (now >= warp.suspended_until) return now;
  if (!warp.suspended && isa::phase_wait_over(instruction, warp.state, *kernel_)) return now;
  warp.suspended = warp.resumed = warp.waiting = true;
  warp.waited_for = Stall::kBarrier;
  return warp.suspended_until;
}

Cycle SubCore::fetch(WarpContext& warp, std::uint32_t line, Cycle now) {
  // It asks once, and uses what has come even if others have displaced it from the cache in the meantime.
  if (line != warp.asked_line) {
    warp.asked_line = line;
    warp.line_arrives = host_.fetch(line, now);
  }
  const Cycle ready = warp.line_arrives;
  warp.fetched_at = std::max(warp.fetched_at, ready);
  if (ready <= now) warp.fetched_line = line;
  return ready;
}

void SubCore::issue(Resident& resident, Cycle now) {
  WarpContext& warp = *resident.warp;
  const IssueInfo& info = *resident.info;
  const isa::Instruction& instruction = kernel_->code[warp.state.pc / isa::kInstructionBytes];
  account(warp, info, now);
  warp.stall_until = occupy(warp, info, now) + info.stall_cycles;
  scheduler_.issued(warp, info.is_tensor, instruction.control.yield);
  warp.issued_at = now;
  warp.suspended = false;
  warp.suspended_until = 0;
  const std::size_t here = warps_.size();
  host_.issue(warp, instruction, info, now);
  warp.resumed = false;
  if (warps_.size() == here) {  // it has not ended by that
    waits(resident, Resident::Until::kThen, warp.stall_until);
    expect_next(warp);
  }
  wake_ = next_after_issue(now);
}

/// The registers that a warp reads next lie in memory: all warps of all SMs have more than the processor's caches hold.
void SubCore::expect_next(const WarpContext& warp) const {
  const auto slot = warp.state.pc / isa::kInstructionBytes;
  if (slot >= infos_->size()) return;
  const IssueInfo& next = (*infos_)[slot];
  if (!next.is_tensor) {
    for (const std::uint8_t index : next.looked_at) warp.state.r.expect(index);
  } else if (computes_) {
    for (std::size_t i = 0; i < next.looked_at.size(); ++i) {
      warp.state.r.expect_lanes(next.looked_at[i], next.looked_at_count[i]);
    }
  }
}

/// Issues the second half of a product of 64 bits behind its first at `now`; returns when.
Cycle SubCore::second_half(const WarpContext& warp, const IssueInfo& info, Cycle now) {
  const Cycle then = std::max(now + info.interval, ports_.ready(info.second_reads, warp.slot));
  ports_.take(info.second_reads, warp.slot, then);
  state_.pipe_free[index_of(info.pipe)] = then + info.interval;
  return then;
}

/// When it is worth looking again after a warp has issued.
Cycle SubCore::next_after_issue(Cycle now) {
  const Resident* first = nullptr;
  for (const Resident& resident : warps_) {
    if (first == nullptr || resident.when < first->when) first = &resident;
  }
  if (woken_) return now + 1;
  if (first == nullptr) return kNever;
  if (first->when <= now + 1) return now + 1;
  return first->until == Resident::Until::kPorts ? next_of_warps() : first->when;
}

/// The next cycle that a warp waits for. Who waits for a pipe or for ports that another has taken in the meantime waits
/// for longer.
Cycle SubCore::next_of_warps() {
  for (;;) {
    Resident* first = nullptr;
    for (Resident& resident : warps_) {
      if (first == nullptr || resident.when < first->when) first = &resident;
    }
    if (first == nullptr || first->until != Resident::Until::kPorts) return first == nullptr ? kNever : first->when;
    const Cycle free = ready(*first->warp, *first->info);
    if (free <= first->when || first->info->waits_for_phase) return first->when;
    first->when = free;
  }
}

/// When it is worth looking again while a queue keeps a warp waiting. That is accounted for by when somebody looks, so
/// nobody is to look for a pipe that another has taken in the meantime.
Cycle SubCore::next_beside_queue() {
  Cycle next = kNever;
  for (Resident& resident : warps_) {
    if (resident.until == Resident::Until::kAny) continue;  // which wait for the queue
    if (resident.until == Resident::Until::kPorts) {
      resident.when = std::max(resident.when, ready(*resident.warp, *resident.info));
    }
    next = std::min(next, resident.when);
  }
  return next;
}

void SubCore::account(WarpContext& warp, const IssueInfo& info, Cycle now) {
  if (warp.accounted < now) account_wait(warp, info, now);
  ++statistics_.stalls[static_cast<std::size_t>(Stall::kIssued)];
  if (observed_) host_.spent(warp, Stall::kIssued, now, now + 1);
  warp.accounted = now + 1;
  warp.launched = true;
}

/// What the warp has waited for up to `now`, one thing after the other.
void SubCore::account_wait(WarpContext& warp, const IssueInfo& info, Cycle now) {
  const auto take = [&](Cycle until, Stall reason) __attribute__((always_inline)) {
    until = std::min(until, now);
    if (until > warp.accounted) {
      statistics_.stalls[static_cast<std::size_t>(reason)] += until - warp.accounted;
      if (observed_) host_.spent(warp, reason, warp.accounted, until);
      warp.accounted = until;
    }
    return warp.accounted == now;
  };
  if (take(warp.stall_until, warp.launched ? Stall::kFixedLatency : Stall::kDispatch)) return;
  if (take(warp.fetched_at, Stall::kNoInstruction)) return;
  if (take(warp.wait_cleared, warp.waited_for)) return;
  const bool to_memory = info.pipe == Pipe::kMemory;  // whose pipe leads to the queue
  const Stall busy = info.is_tensor ? Stall::kTensorBusy : to_memory ? Stall::kMemoryQueue : Stall::kPipeBusy;
  if (take(pipe_ready(info), busy)) return;
  if (to_memory && take(state_.queue_full_until, Stall::kMemoryQueue)) return;
  if (take(operands_ready(warp, info), Stall::kRegisterPorts)) return;
  take(now, Stall::kNotSelected);
}

/// Returns the cycle from which the stall count counts.
Cycle SubCore::occupy(const WarpContext& warp, const IssueInfo& info, Cycle now) {
  if (info.is_tensor) {
    const Cycle begin = std::max(now, pipe_ready(info) + switch_cycles(info));
    state_.pipe_free[index_of(Pipe::kTensor)] = begin + static_cast<Cycle>(info.mma.step_cycles);
    state_.collect_free = begin + static_cast<Cycle>(info.mma.collect_cycles);
    state_.collects_dense = !info.mma.sparse;
    state_.collects_floats = !info.integer_matrix;
    const tensor_core::TensorCoreParams& tensor = params_.tensor_core;
    ports_.hold(info.factors, warp.slot, begin,
                static_cast<Cycle>(info.mma.sparse ? tensor.sparse_port_cycles : tensor.port_cycles));
    return begin;
  }
  if (info.pipe != Pipe::kNone) state_.pipe_free[index_of(pipe_of(info))] = now + info.interval;
  if (info.also_alu) state_.pipe_free[index_of(Pipe::kAlu)] = now + info.interval;
  if (info.fixed_latency) ports_.take(info.reads, warp.slot, now);
  return info.in_halves ? second_half(warp, info, now) : now;
}

std::string SubCore::describe_warps() const {
  std::string text;
  for (const Resident& resident : warps_) {
    const WarpContext* const warp = resident.warp;
    const auto slot = warp->state.pc / isa::kInstructionBytes;
    const isa::Instruction& instruction = kernel_->code[slot];
    std::string wait = "ready";
    Stall reason = Stall::kScoreboardOther;
    if (warp->at_barrier) {
      wait = fmt::format("waits at CTA barrier {}", warp->barrier);
    } else if (warp->waits_for_cluster) {
      wait = "waits at the barrier of its cluster";
    } else if (warp->suspended) {
      wait = "waits for the phase of an mbarrier";
    } else if (!scoreboards_clear(*warp, (*infos_)[slot], reason)) {
      wait = fmt::format("waits for a scoreboard ({})", name_of(reason));
    }
    text +=
        fmt::format("  CTA {} warp {} at {:#06x} {}, lanes {:#010x}: {}\n", warp->state.cta->linear_index,
                    warp->state.index_in_cta, warp->state.pc, isa::listing_text(instruction), warp->state.active, wait);
    for (const isa::Path& path : warp->state.waiting) {
      text += fmt::format("    lanes {:#010x} at {:#06x} {}: {}\n", path.lanes, path.pc,
                          isa::listing_text(kernel_->code[path.pc / isa::kInstructionBytes]), isa::describe(path));
    }
  }
  return text;
}

}  // namespace stc::sm
