// SPDX-License-Identifier: Apache-2.0
#include "models/sm/streaming_multiprocessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/time_base.h"
#include "models/isa/values/copy_arrival.h"
#include "models/sm/tensor_counters.h"

namespace stc::sm {
namespace {

constexpr int kWakesAtATime = 4;     // sub-cores, as most SMs have
constexpr int kLeastL1Bytes = 4096;  // whatever a GPU file says of shared memory; no GPU's CTAs leave so little

/// A line of a bulk store as one of the LSU's, which shares the port with it.
MemoryInstruction bulk_store(const isa::BulkTransfer::Line& line, const BulkOrigin& origin, DataRole role) {
  MemoryInstruction store;
  store.kind = MemoryKind::kGlobalStore;
  store.warp = origin.warp;
  store.generation = origin.generation;
  store.address = origin.address;
  store.bypass_l1 = true;
  store.role = role;
  store.lines.count = 1;
  store.lines.lines[0] = {};
  store.lines.lines[0].line = line.line;
  store.lines.lines[0].sectors = line.sectors;
  store.lines.lines[0].words = ~0u;  // of its sectors: all
  return store;
}

}  // namespace

StreamingMultiprocessor::StreamingMultiprocessor(sc_core::sc_module_name name, int index, int partition,
                                                 const SmParams& params,
                                                 const std::optional<arith::Numerics>& tensor_core_steps)
    : sc_module(name),
      index_(index),
      params_(params),
      wakes_(static_cast<std::size_t>(params.sub_cores + kWakesAtATime - 1) / kWakesAtATime * kWakesAtATime, kNever),
      ctas_(index, params.sub_cores, statistics_),
      execution_(index),
      delay_(params),
      access_(index, params, statistics_),
      lsu_(
          params_, events_, statistics_, [this](const LineQuery& query) { l2_port_.send(query); },
          [this](const MemoryInstruction& instruction, const RemotePart& part, std::uint32_t token, Cycle cycle) {
            cluster_.send(instruction, part, token, cycle);
          }),
      l2_port_(index, partition, statistics_),
      cluster_(
          index, params, events_, lsu_, ctas_, [this](Cycle cycle) { on_wake(index_, cycle); },
          [this](const LandingLine& line) { bulk_.lands(line); }),
      barriers_(params.issue, events_),
      fences_(params.issue),
      warpgroups_(params.warpgroup, params.occupancy.max_warps),
      bulk_(
          params_.bulk, params_.lsu.queue_latency, params_.cluster.packet_cycles, events_,
          [this](const LineQuery& query) { l2_port_.send(query); },
          [this](const isa::BulkTransfer::Line& line, const BulkOrigin& origin, DataRole role, Cycle cycle) {
            return lsu_.bulk_store(bulk_store(line, origin, role), cycle);
          },
          [this](const BulkOrigin& origin, const std::vector<isa::RemoteArrival>& arrivals, const LandingLine& line) {
            const CtaSlot& slot = ctas_[origin.cta_slot];
            if (slot.used && slot.state.linear_index == origin.cta) cluster_.share(slot, arrivals, line);
          }),
      constants_(params.issue, params.sub_cores),
      code_(params.fetch) {
  for (int i = 0; i < params.sub_cores; ++i) {
    SubCoreHost& host = *this;
    sub_cores_.push_back(std::make_unique<SubCore>(i, params_, statistics_, host, wakes_[static_cast<std::size_t>(i)],
                                                   tensor_core_steps));
  }
  l2_port_.on_answer = [this] { on_answer(index_); };
}

void StreamingMultiprocessor::begin_launch(const LaunchContext* launch) {
  launch_ = launch;
  statistics_ = {};
  events_.clear();
  const int shared = launch->ctas_per_sm * static_cast<int>(launch->shared_bytes_per_cta);
  lsu_.reset(static_cast<std::uint64_t>(std::max(params_.l1.total_bytes - shared, kLeastL1Bytes)), launch->start_cycle);
  lsu_.observe(launch->probe == nullptr ? GlobalAccess::OnL1Hit() : [this](const MemoryInstruction& of, int sectors) {
    launch_->probe->l1_hit({index_, last_ - launch_->start_cycle, of.address, sectors});
  });
  barriers_.reset();
  fences_.reset();
  warpgroups_.reset();
  bulk_.reset(launch->start_cycle);
  delay_.begin_launch();
  constants_.reset(launch->caches_emptied);
  code_.reset(static_cast<std::uint32_t>(launch->kernel->code.size() * isa::kInstructionBytes), launch->caches_emptied);
  for (auto& sub_core : sub_cores_) {
    sub_core->reset(launch->kernel, launch->infos, launch->values == isa::Values::kFull, launch->probe != nullptr);
  }
  ctas_.begin_launch(launch);
  execution_.begin_launch(launch, ctas_.all().size(), static_cast<std::size_t>(ctas_.warps_per_cta()));
  access_.begin_launch(launch->kernel);
  l2_port_.begin_launch(launch);
  cluster_.begin_launch(launch->kernel);
  progress_.begin_launch(launch->kernel, ctas_.warps().size());
  halted_ = false;
  waits_ = Waits::kNothing;
  stores_sent_ = atomics_sent_ = 0;
  has_fences_ = std::any_of(launch->kernel->code.begin(), launch->kernel->code.end(),
                            [](const isa::Instruction& one) { return one.opcode == isa::Opcode::kMembar; });
  acknowledged_ = 0;
  has_bulk_ =
      std::any_of(launch->infos->begin(), launch->infos->end(), [](const IssueInfo& one) { return one.is_bulk; });
  inbox_.clear();
  last_ = 0;
  ended_.clear();
  fault_ = nullptr;
}

void StreamingMultiprocessor::start_cta(std::uint64_t linear_index, Cycle dispatch,
                                        const std::shared_ptr<Cluster>& cluster, std::uint32_t rank) {
  const int number = ctas_.start(linear_index, dispatch, cluster, rank);
  progress_.progress();
  execution_.begin_cta(number);
  if (cluster) cluster->join(rank, cluster_, number, ctas_[number].state, ctas_.warps_per_cta());
  for (int i = 0; i < ctas_.warps_per_cta(); ++i) {
    WarpContext& warp = ctas_.warp(number * ctas_.warps_per_cta() + i);
    sub_core_of(warp).add(warp, warp.stall_until);
  }
  on_wake(index_, dispatch + static_cast<Cycle>(launch_->cta_launch_latency));
}

Cycle StreamingMultiprocessor::now_cycle() const { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

Cycle StreamingMultiprocessor::take_answers() {
  const L2Port::Answers answers = l2_port_.take_answers(inbox_);
  lsu_.hold_stores(answers.held_until);
  acknowledged_ = std::max(acknowledged_, answers.acknowledged);
  return answers.soonest == kNever ? kNever : lsu_.soonest_after(answers.soonest);
}

Cycle StreamingMultiprocessor::run(Cycle now, Cycle end, Cycle entered, Cycle served) {
  news_.clear();
  acted_ = 0;
  waits_ = Waits::kNothing;
  if (halted_ || launch_ == nullptr) return kNever;
  for (const L2Port::Response& response : inbox_) {
    if ((response.token & kBulkToken) != 0) {
      bulk_.response(response.token, response.cycle(), response.slice, response.sectors);
    } else {
      lsu_.response(response.token, response.cycle());
    }
  }
  inbox_.clear();
  if (has_bulk_) bulk_.write(end);
  now = std::max(now, next());
  while (now < end) {
    if (waits_for_port(now, entered, served)) return now;
    act(now);
    ++acted_;
    waits_ = waits_behind();
    if (execution_.leaves_work(now)) news_.push_back(now);
    const Cycle then = halted_ ? kNever : next();
    if (then == kNever) return kNever;
    now = std::max(then, now + 1);
    if (waits_ != Waits::kNothing) return now;
  }
  return now;
}

/// Whether something may go to the port of stores at `now`, and it is not known when that is free.
bool StreamingMultiprocessor::waits_for_port(Cycle now, Cycle entered, Cycle served) {
  if (atomics_sent_ <= served && stores_sent_ <= entered) return false;
  if (!lsu_.may_store(now) && !(has_bulk_ && bulk_.may_store(now))) return false;
  const bool atomics = atomics_sent_ > served;
  waits_ = atomics ? Waits::kServed : Waits::kEntered;
  awaited_ = (atomics ? atomics_sent_ : stores_sent_) - 1;
  return true;
}

StreamingMultiprocessor::Waits StreamingMultiprocessor::waits_behind() {
  awaited_ = last_;
  if (l2_port_.sent_stores()) stores_sent_ = last_ + 1;
  if (l2_port_.sent_atomics()) atomics_sent_ = last_ + 1;
  if (!ended_.empty() || halted_) return Waits::kTold;
  if (has_fences_ && (l2_port_.sent_atomics() || l2_port_.sent_stores())) return Waits::kServed;
  return ends_late_ ? Waits::kPublished : Waits::kNothing;
}

void StreamingMultiprocessor::act(Cycle now) {
  last_ = now;
  ends_late_ = false;
  l2_port_.begin_cycle(now);
  try {
    tick(now);
  } catch (...) {
    halt();
    fault_ = std::current_exception();
  }
  lsu_.end_cycle();
}

Cycle StreamingMultiprocessor::next() {
  Cycle next = std::min(std::min(events_.next(), cluster_.next()), lsu_.next());
  if (has_bulk_) next = std::min(next, bulk_.next());
  for (std::size_t i = 0; i < wakes_.size(); i += kWakesAtATime) {
    const Cycle* const wakes = &wakes_[i];
    next = std::min(next, std::min(std::min(wakes[0], wakes[1]), std::min(wakes[2], wakes[3])));
  }
  return next;
}

/// An atomic that names a register that the warp does not have faults only here, where it reads it.
bool StreamingMultiprocessor::publish(Cycle cycle) {
  // When the launch has failed, what an SM did ahead of that has not happened.
  if (halted_ && fault_ == nullptr) return true;
  try {
    if (execution_.make_writes(cycle)) progress_.progress();
    return true;
  } catch (...) {
    fail(std::current_exception());
    return false;
  }
}

void StreamingMultiprocessor::tell() {
  for (const CtaRecord& record : ended_) on_cta_end(index_, record);
  ended_.clear();
  if (fault_) on_fault(std::exchange(fault_, nullptr));
}

void StreamingMultiprocessor::fail(std::exception_ptr fault) {
  halt();
  on_fault(fault);
}

void StreamingMultiprocessor::tick(Cycle now) {
  if (events_.due(now)) {
    while (events_.due(now)) handle(events_.pop());
    const Event* const coming = events_.coming();
    if (coming != nullptr && coming->kind == Event::Kind::kDataArrived) lsu_.expect_data(coming->index);
  }
  if (cluster_.tick(now)) progress_.progress();
  if (lsu_.tick(now)) {
    for (auto& sub_core : sub_cores_) sub_core->queue_moved(now);
  }
  if (has_bulk_) bulk_.tick(now);
  std::uint32_t due = 0;  // bit per sub-core
  for (std::size_t i = 0; i < wakes_.size(); i += kWakesAtATime) {
    const Cycle* const wakes = &wakes_[i];
    const auto is_due = [&](std::size_t number) { return std::uint32_t{wakes[number] <= now} << number; };
    due |= (is_due(0) | is_due(1) | is_due(2) | is_due(3)) << i;
  }
  for (; due != 0; due &= due - 1) sub_cores_[static_cast<std::size_t>(__builtin_ctz(due))]->look(now);
}

WarpPlace StreamingMultiprocessor::place_of(const WarpContext& warp) const {
  return {index_, warp.sub_core, warp.state.cta->linear_index, warp.state.index_in_cta};
}

void StreamingMultiprocessor::tell_spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end,
                                         std::uint32_t address) {
  const Cycle start = launch_->start_cycle;
  launch_->probe->stall({place_of(warp), reason, begin - start, end - start, address});
}

/// What a memory instruction has added to the counters that were `before`.
void StreamingMultiprocessor::tell_wavefronts(const WarpContext& warp, const isa::Instruction& instruction, Cycle now,
                                              const DataStageCounts& before) {
  const DataStageCounts after = data_stage_counts();
  if (after == before) return;
  launch_->probe->wavefronts({place_of(warp), now - launch_->start_cycle, instruction.address, after[0] - before[0],
                              after[1] - before[1], after[2] - before[2]});
}

void StreamingMultiprocessor::issue(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                    Cycle now) {
  const isa::ExecuteResult& result = execution_.execute(warp, instruction, info, sub_core_of(warp).tensor_core(), now);
  const isa::ExecuteContext& context = execution_.context();
  progress_.note(warp, instruction, result, context);
  ends_late_ |= result.ends_late;
  if (launch_->probe != nullptr) {
    const int busy = info.is_tensor ? info.mma.interval : 0;
    launch_->probe->issue({place_of(warp), context.cycle, instruction.address, result.lanes, busy});
  }
  ++statistics_.warp_instructions;
  statistics_.thread_instructions += lanes_in(result.lanes);
  warp.stall_until =
      delay_.next_issue(info, result, warp.stall_until, now, context.global_timer_ns, launch_->clock_mhz);

  if (info.is_tensor) {
    count_matrix_instruction(statistics_, instruction.mma, info.counts, info.mma.interval);
    if (result.lanes != 0) warp.matrix_results.issued(instruction, info.results, now, info.mma.latency);
    lsu_.matrix_operands(warp.sub_core, now, now + static_cast<Cycle>(info.mma.collect_cycles), info.mma.interval);
  } else if (info.warpgroup.interval != 0) {
    count_warpgroup_instruction(statistics_, instruction, info.warpgroup.interval);
    if (result.lanes != 0) multiply(warp, instruction, info, now);
  } else if (info.is_bulk) {
    copy_bulk(warp, instruction, result, now);
  } else if (info.memory != MemoryKind::kNone) {
    access_memory(warp, instruction, info, result, now);
  } else {
    release_later(warp, instruction, info, result, now);
  }
  if (info.synchronizes) synchronize(warp, instruction, info, result, now);
  if (result.branched && instruction.address == launch_->loop_branch) launch_->loop_watch->passed(index_, warp, now);
  if (warp.state.exited()) end_warp(warp, instruction, now);
}

/// A warp's part of a warpgroup's matrix instruction. When all four have issued theirs, it is known when it ends.
void StreamingMultiprocessor::multiply(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                       Cycle now) {
  if (info.warpgroup.ends_group) ++warp.scoreboard[kGroupScoreboard];
  const int in_group = warp.state.index_in_cta % kWarpsOfGroup, first = warp.slot - in_group;
  if (warp.state.index_in_cta - in_group + kWarpsOfGroup > ctas_.warps_per_cta()) {
    execution_.fault(warp, instruction, "its warpgroup has fewer than four warps");
  }
  const Cycle busy_until = warpgroups_.busy_until();
  const std::optional<WarpgroupUnit::Work> work = warpgroups_.issue(first, in_group, info.warpgroup, now);
  if (!work) return;
  lsu_.warpgroup_operands(work->begin, work->end, info.warpgroup);
  const int lines = has_bulk_ ? bulk_.written_beside(now, busy_until) : 0;
  warpgroups_.delay(lsu_.forced_cycles() + warpgroups_.lost_to_copies(lines, info.warpgroup));
  if (!info.warpgroup.ends_group) return;
  for (int i = 0; i < kWarpsOfGroup; ++i) {
    const WarpContext& one = ctas_.warp(first + i);
    events_.push(work->known, Event::Kind::kReleaseScoreboard, one.slot, one.generation, kGroupScoreboard);
  }
}

/// UBLK*, UTMA*. UTMACMDFLUSH ends a group of the warp's stores, which its scoreboard stands for.
void StreamingMultiprocessor::copy_bulk(WarpContext& warp, const isa::Instruction& instruction,
                                        const isa::ExecuteResult& result, Cycle now) {
  const std::uint8_t scoreboard = instruction.control.read_scoreboard;
  if (instruction.opcode == isa::Opcode::kUtmacmdflush && result.lanes != 0) {
    warp.hold(scoreboard, Stall::kAsyncCopy);
    warp.bulk_stores.close({scoreboard, std::nullopt});
    end_bulk_groups(warp);
    return;
  }
  if (scoreboard < kScoreboards) {
    warp.hold(scoreboard, Stall::kScoreboardOther);
    events_.push(now + static_cast<Cycle>(params_.bulk.release_latency), Event::Kind::kReleaseScoreboard, warp.slot,
                 warp.generation, scoreboard);
  }
  if (!result.has_bulk) return;
  BulkOrigin origin;
  origin.warp = static_cast<std::uint16_t>(warp.slot);
  origin.generation = warp.generation;
  origin.cta_slot = static_cast<std::uint16_t>(warp.cta_slot);
  origin.cta = warp.state.cta->linear_index;
  origin.address = instruction.address;
  const bool of_map =
      result.bulk.kind == isa::BulkTransfer::Kind::kMap || result.bulk.kind == isa::BulkTransfer::Kind::kNoMap;
  if (of_map) return bulk_.begin(result.bulk, origin, now);
  warp.reached_memory = true;
  const auto role = static_cast<std::size_t>(result.bulk.role);
  if (result.bulk.kind == isa::BulkTransfer::Kind::kStore) {
    origin.group = warp.bulk_stores.add_copy();
    ++warp.stores;
    statistics_.shared.read[role] += result.bulk.bytes;
  } else {
    statistics_.shared.write[role] += result.bulk.bytes;
  }
  const bool by_lanes = instruction.opcode == isa::Opcode::kStas || instruction.opcode == isa::Opcode::kRedas;
  bulk_.begin(result.bulk, origin, now + static_cast<Cycle>(by_lanes ? params_.bulk.lane_latency : 0));
}

void StreamingMultiprocessor::end_bulk_groups(WarpContext& warp) {
  while (const auto end = warp.bulk_stores.pop_complete()) {
    if (end->scoreboard < kScoreboards) --warp.scoreboard[end->scoreboard];
  }
}

/// All bytes of a load are in shared memory: mbarriers count them, here and in other CTAs of the cluster.
void StreamingMultiprocessor::bulk_landed(std::uint32_t number, Cycle now) {
  const BulkUnit::Landed& landed = bulk_.close(number);
  CtaSlot& slot = ctas_[landed.origin.cta_slot];
  if (!slot.used || slot.state.linear_index != landed.origin.cta) return;  // its CTA has not waited for it
  std::vector<isa::RemoteArrival> remote;
  for (const isa::RemoteArrival& one : landed.arrivals) {
    if (one.rank != slot.state.cluster_rank) {
      remote.push_back(one);
    } else if (isa::complete_copy_arrival(slot.state, *launch_->kernel, one.arrival)) {
      wake_suspended(now);
    }
  }
  if (landed.multicast && !remote.empty()) {
    cluster_.send(slot, remote, now, static_cast<Cycle>(params_.bulk.multicast_latency));
  } else if (!remote.empty()) {
    cluster_.send(slot, remote, now);
  }
  progress_.progress();
}

void StreamingMultiprocessor::access_memory(WarpContext& warp, const isa::Instruction& instruction,
                                            const IssueInfo& info, const isa::ExecuteResult& result, Cycle now) {
  const DataStageCounts before = data_stage_counts();
  MemoryInstruction& request = lsu_.next_place();
  access_.make(warp, instruction, info, result, now, request);
  if (launch_->probe != nullptr) tell_wavefronts(warp, instruction, now, before);
  warp.hold(request.write_scoreboard, info.scoreboard_stall);
  warp.hold(request.read_scoreboard, info.scoreboard_stall);
  warp.reached_memory |= request.lines.count != 0;
  lsu_.enqueue();
}

/// Of an instruction that goes neither to memory nor to the tensor core: its scoreboards.
void StreamingMultiprocessor::release_later(WarpContext& warp, const isa::Instruction& instruction,
                                            const IssueInfo& info, const isa::ExecuteResult& result, Cycle now) {
  if (info.constant_line >= 0) {
    const Cycle here = constants_.operand_arrival(warp.sub_core, info.constant_line, now);
    if (here > now) warp.stall_until = std::max(warp.stall_until, here);
  }
  Cycle latency = constants_.delay(instruction, result, warp.sub_core, now) + info.latency;
  if (result.different_values > 1) {
    latency += static_cast<Cycle>((result.different_values - 1) * params_.issue.match_value_cycles);
  }
  const auto release = [&](std::uint8_t scoreboard, Cycle cycle) {
    if (scoreboard >= kScoreboards) return;
    warp.hold(scoreboard, Stall::kScoreboardOther);
    events_.push(cycle, Event::Kind::kReleaseScoreboard, warp.slot, warp.generation, scoreboard);
  };
  release(instruction.control.write_scoreboard, now + latency);
  release(instruction.control.read_scoreboard, now + static_cast<Cycle>(params_.lsu.read_release));
}

void StreamingMultiprocessor::synchronize(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                          const isa::ExecuteResult& result, Cycle now) {
  if (result.phase_completed) wake_suspended(now + static_cast<Cycle>(params_.mbarrier.wake_latency));
  if (instruction.opcode == isa::Opcode::kMembar && result.lanes != 0) {
    const int later = ctas_.of(warp).cluster ? params_.cluster.acknowledged_latency : 0;
    fences_.fence(warp, instruction, now, lsu_.stores_left(), acknowledged_ + static_cast<Cycle>(later));
  }
  if (!result.remote_arrivals.empty()) cluster_.send(ctas_.of(warp), result.remote_arrivals, now);
  if (result.barrier) barriers_.arrive(warp, ctas_.of(warp), result, info.defers_barrier, now);
  if (result.cluster_barrier == isa::ClusterBarrier::kNone) return;
  const char* const misuse = cluster_.at_barrier(warp, result.cluster_barrier, now);
  if (misuse != nullptr) execution_.fault(warp, instruction, misuse);
}

void StreamingMultiprocessor::end_warp(WarpContext& warp, const isa::Instruction& instruction, Cycle now) {
  warp.exit_address = instruction.address;
  sub_core_of(warp).remove(warp);
  CtaSlot& slot = ctas_.of(warp);
  --slot.warps_left;
  if (slot.cluster) slot.cluster->warp_exits(now, warp.cluster_phase);
  if (slot.cluster && slot.warps_left == 0) slot.cluster->cta_exits(slot.state.cluster_rank);
  barriers_.warp_exits(warp.cta_slot, slot, now);
  if (warp.stores == 0) leave(warp, now + 1);
}

void StreamingMultiprocessor::leave(WarpContext& warp, Cycle end) {
  if (end > warp.accounted) {
    statistics_.stalls[static_cast<std::size_t>(Stall::kDrain)] += end - warp.accounted;
    if (launch_->probe != nullptr) tell_spent(warp, Stall::kDrain, warp.accounted, end, warp.exit_address);
  }
  const std::optional<CtaRecord> ended = ctas_.leave(warp, end);
  if (ended) ended_.push_back(*ended);
}

void StreamingMultiprocessor::handle(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kBarrierOpen: open_barrier(event); break;
    case Event::Kind::kClusterOpen: open_cluster_barrier(event); break;
    case Event::Kind::kPhaseCompleted:
      for (const auto& warp : ctas_.warps()) warp->suspended = false;
      for (auto& sub_core : sub_cores_) sub_core->wake(event.cycle);
      break;
    case Event::Kind::kDataArrived: lsu_.data_arrived(event.index, event.cycle); break;
    case Event::Kind::kBulkLanded: bulk_landed(event.index, event.cycle); break;
    case Event::Kind::kReleaseScoreboard:
    case Event::Kind::kAsyncCopyDone:
    case Event::Kind::kBulkStored:
    case Event::Kind::kStoreLeft: handle_for_warp(event); break;
  }
}

void StreamingMultiprocessor::handle_for_warp(const Event& event) {
  WarpContext& warp = ctas_.warp(event.warp);
  if (warp.generation != event.generation) return;  // its warp has exited
  if (event.kind == Event::Kind::kStoreLeft) {
    if (--warp.stores == 0 && warp.state.exited()) leave(warp, event.cycle);
    return;
  }
  if (event.kind == Event::Kind::kReleaseScoreboard) {
    --warp.scoreboard[event.index];
  } else if (event.kind == Event::Kind::kBulkStored) {
    warp.bulk_stores.copy_done(event.index);
    end_bulk_groups(warp);
  } else {
    warp.copies.copy_done(event.index);
    copies_landed(warp, event.cycle);
  }
  sub_core_of(warp).released(warp, event.cycle);
}

void StreamingMultiprocessor::open_barrier(const Event& event) {
  for (const auto& warp : ctas_.warps()) {
    if (!warp->at_barrier || warp->cta_slot != event.warp || warp->barrier != event.index) continue;
    warp->at_barrier = false;
    if (!warp->held_at_barrier) continue;  // it has not had to wait
    warp->held_at_barrier = false;
    let_go(*warp, event.cycle);
  }
}

void StreamingMultiprocessor::open_cluster_barrier(const Event& event) {
  // A CTA that has ended may have left its place to one of another cluster.
  const Cluster* const cluster = ctas_[event.warp].cluster.get();
  if (cluster == nullptr || cluster->number() != event.index) return;
  for (const auto& warp : ctas_.warps()) {
    if (!warp->at_cluster_barrier || warp->cta_slot != event.warp) continue;
    warp->at_cluster_barrier = false;
    if (!warp->waits_for_cluster) continue;
    warp->waits_for_cluster = false;
    let_go(*warp, event.cycle);
  }
}

void StreamingMultiprocessor::let_go(WarpContext& warp, Cycle cycle) {
  warp.wait_cleared = cycle;
  warp.waited_for = Stall::kBarrier;
  sub_core_of(warp).wake(cycle);
}

void StreamingMultiprocessor::copies_landed(WarpContext& warp, Cycle now) {
  while (const auto end = warp.copies.pop_complete()) {
    if (end->scoreboard < kScoreboards) --warp.scoreboard[end->scoreboard];
    if (!end->arrival) continue;
    if (isa::complete_copy_arrival(ctas_.of(warp).state, *launch_->kernel, *end->arrival)) wake_suspended(now);
    progress_.progress();
  }
}

bool StreamingMultiprocessor::stands_still() const {
  return !cluster_.arrivals_under_way() && !bulk_.busy() &&
         std::all_of(ctas_.warps().begin(), ctas_.warps().end(),
                     [this](const std::unique_ptr<WarpContext>& warp) { return stands_still(*warp); });
}

/// What is under way counts however long it takes: a device memory of the user's own may take longer than a span.
bool StreamingMultiprocessor::stands_still(const WarpContext& warp) const {
  const CtaSlot& slot = ctas_.of(warp);
  if (!slot.used) return true;
  if (warp.state.exited()) return warp.stores == 0;  // else its CTA's place is free for another when they have left
  const bool opens = warp.at_barrier && slot.barriers.arrived[warp.barrier] == 0;
  return !opens && !warp.copies.arrives_later() && progress_.stands_still(warp);
}

std::string StreamingMultiprocessor::describe_warps() const {
  std::string text;
  for (const auto& sub_core : sub_cores_) text += sub_core->describe_warps();
  for (const CtaSlot& slot : ctas_.all()) {
    for (std::size_t id = 0; slot.used && id < slot.barriers.arrived.size(); ++id) {
      if (slot.barriers.arrived[id] == 0) continue;
      text +=
          fmt::format("  CTA {} barrier {}: {} of {} warps arrived, {} warps have not exited\n",
                      slot.state.linear_index, id, slot.barriers.arrived[id], slot.expected_at(id), slot.warps_left);
    }
  }
  return text;
}

}  // namespace stc::sm
