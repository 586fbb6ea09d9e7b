// SPDX-License-Identifier: Apache-2.0
#include "models/sm/streaming_multiprocessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "models/core/time_base.h"
#include "models/isa/state/poison.h"
#include "models/isa/values/fault.h"

namespace stc::sm {
namespace {

constexpr std::uint16_t kCountsLanes = 2;  ///< ATOMS.POPC.INC: lanes at one address are one access

AtomicKind atomic_kind(const isa::Instruction& instruction) {
  if (instruction.mem.atomic == isa::AtomicOp::kCas) return AtomicKind::kCompareAndSwap;
  switch (instruction.mod.source_type) {
    case isa::ScalarType::kF64: return AtomicKind::kDouble;
    case isa::ScalarType::kF32:
    case isa::ScalarType::kF16x2:
    case isa::ScalarType::kBf16x2: return AtomicKind::kFloat;
    default: return AtomicKind::kInteger;
  }
}

constexpr std::uint64_t kRegisterBytes = std::uint64_t{4} * isa::kWarpSize;

[[maybe_unused]] std::uint64_t sum_of(const std::array<std::uint64_t, kStalls>& stalls) {
  return std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0});
}

}  // namespace

StreamingMultiprocessor::StreamingMultiprocessor(sc_core::sc_module_name name, int index, int partition,
                                                 const SmParams& params,
                                                 const std::optional<arith::Numerics>& tensor_core_steps)
    : sc_module(name),
      to_crossbar("to_crossbar"),
      index_(index),
      partition_(partition),
      params_(params),
      lsu_(
          params_, events_, statistics_, [this](const LineQuery& query) { send(query); },
          [this](const MemoryInstruction& instruction, const RemotePart& part, std::uint32_t token, Cycle cycle) {
            send_remote(instruction, part, token, cycle);
          }),
      constants_(params.issue),
      code_(params.fetch),
      barriers_(params.issue) {
  for (int i = 0; i < params.sub_cores; ++i) {
    SubCoreHost& host = *this;
    sub_cores_.push_back(std::make_unique<SubCore>(i, params_, statistics_, host, tensor_core_steps));
  }
  to_crossbar.register_nb_transport_bw(this, &StreamingMultiprocessor::nb_transport_bw);
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void StreamingMultiprocessor::begin_launch(const LaunchContext* launch) {
  launch_ = launch;
  statistics_ = {};
  events_.clear();
  inbox_.clear();
  messages_ = 0;
  cluster_arrival_free_ = fence_free_ = 0;
  const int used = launch->ctas_per_sm * static_cast<int>(launch->shared_bytes_per_cta);
  lsu_.reset(static_cast<std::uint64_t>(std::max(params_.l1.total_bytes - used, 4096)));
  barriers_.reset();
  constants_.reset(launch->caches_emptied);
  code_.reset(static_cast<std::uint32_t>(launch->kernel->code.size() * isa::kInstructionBytes), launch->caches_emptied);
  for (auto& sub_core : sub_cores_) {
    sub_core->reset(launch->kernel, launch->infos, launch->probe != nullptr);
  }
  const auto warps_per_cta = static_cast<std::size_t>((launch->block.count() + isa::kWarpSize - 1) / isa::kWarpSize);
  ctas_.assign(static_cast<std::size_t>(launch->ctas_per_sm), CtaSlot{});
  warps_.clear();
  for (std::size_t i = 0; i < ctas_.size() * warps_per_cta; ++i) {
    warps_.push_back(std::make_unique<WarpContext>(std::max(1, launch->kernel->registers)));
    warps_.back()->slot = static_cast<int>(i);
  }
  progress_.begin_launch(launch->kernel, warps_.size());
  dependences_.assign(launch->dependences != nullptr ? warps_.size() : 0, dependence::WarpDependences());
  resident_ = 0;
  warp_cycles_ = 0;
  phase_ = launch->shuffle_seed == 0
               ? 0
               : memory::mix(launch->shuffle_seed + static_cast<std::uint64_t>(index_)) % (kArbitration - 1);
  generations_ = 0;
  halted_ = false;
  context_ = {};
  context_.kernel = launch->kernel;
  context_.memory = launch->memory;
  context_.heap = launch->heap;
  context_.output = launch->output;
  context_.numerics = launch->numerics;
  context_.values = launch->values;
  context_.sm_id = index_;
  context_.poison = launch->poison;
  context_.unset_symbols = launch->unset_symbols;
  context_.copies_take_time = true;
}

void StreamingMultiprocessor::start_cta(std::uint64_t linear_index, Cycle dispatch, std::shared_ptr<Cluster> cluster,
                                        std::uint32_t rank) {
  const auto free = std::find_if(ctas_.begin(), ctas_.end(), [](const CtaSlot& slot) { return !slot.used; });
  const int slot_index = static_cast<int>(free - ctas_.begin());
  CtaSlot& slot = *free;
  slot.used = true;
  progress_.progress();
  slot.barriers = {};
  slot.state.grid = launch_->grid;
  slot.state.block = launch_->block;
  slot.state.linear_index = linear_index;
  const std::uint64_t plane = std::uint64_t{launch_->grid.x} * launch_->grid.y;
  slot.state.index.x = static_cast<std::uint32_t>(linear_index % launch_->grid.x);
  slot.state.index.y = static_cast<std::uint32_t>(linear_index % plane / launch_->grid.x);
  slot.state.index.z = static_cast<std::uint32_t>(linear_index / plane);
  slot.state.shared.assign(launch_->shared_bytes_per_cta, 0);
  slot.state.shared_role.assign((launch_->shared_bytes_per_cta + 15) / 16, 0);
  if (launch_->poison != nullptr) isa::Poison::fill(slot.state);
  slot.state.constant0 = launch_->constant0;
  slot.cluster = std::move(cluster);
  slot.state.cluster_rank = rank;
  slot.state.cluster = slot.cluster ? &slot.cluster->memories() : nullptr;
  const Cycle first_issue = dispatch + static_cast<Cycle>(launch_->cta_launch_latency);
  slot.record = {linear_index, index_, dispatch - launch_->start_cycle, 0};

  const int warps_per_cta = static_cast<int>(warps_.size() / ctas_.size());
  slot.warps_left = slot.warps_resident = warps_per_cta;
  if (slot.cluster) slot.cluster->join(rank, *this, slot_index, slot.state, warps_per_cta);
  for (int i = 0; i < warps_per_cta; ++i) {
    WarpContext& warp = warp_in(slot_index * warps_per_cta + i);
    isa::start_warp(warp.state, *launch_->kernel, slot.state, i);
    if (launch_->poison != nullptr) isa::Poison::fill(warp.state);
    warp.cta_slot = slot_index;
    warp.generation = generations_++;
    warp.stall_until = first_issue;
    warp.scoreboard = {};
    warp.at_barrier = warp.held_at_barrier = warp.waiting = warp.launched = false;
    warp.at_cluster_barrier = warp.waits_for_cluster = false;
    warp.cluster_phase.reset();
    warp.suspended = warp.resumed = false;
    warp.suspended_until = 0;
    warp.stores = 0;
    warp.fetched_line = warp.asked_line = ~std::uint32_t{0};
    warp.fetched_at = warp.issued_at = 0;
    warp.accounted = dispatch;
    warp.wait_cleared = 0;
    warp.copies = {};
    warp.matrix_results = {};
    if (launch_->dependences != nullptr) dependences_[static_cast<std::size_t>(warp.slot)] = {};
    sub_cores_[static_cast<std::size_t>(warp.slot % params_.sub_cores)]->add(warp, first_issue);
  }
  if (resident_++ == 0) active_since_ = dispatch;
  ++statistics_.ctas;
  schedule(first_issue);
}

Cycle StreamingMultiprocessor::now_cycle() const { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

void StreamingMultiprocessor::schedule(Cycle next) {
  if (next == kNever) return;
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  const Tick then = next * kTicksPerCycle + phase_;
  wake_.notify(to_time(then > now ? then - now : 0));
}

void StreamingMultiprocessor::run() {
  if (halted_ || launch_ == nullptr) return;
  const Cycle now = now_cycle();
  try {
    tick(now);
  } catch (...) {
    fail(std::current_exception());
    return;
  }
  Cycle next = std::min({events_.next(), inbox_.next(), lsu_.next()});
  for (const auto& sub_core : sub_cores_) next = std::min(next, sub_core->next());
  if (next != kNever) schedule(std::max(next, now + 1));
}

void StreamingMultiprocessor::fail(std::exception_ptr fault) {
  halt();
  on_fault(fault);
}

WarpPlace StreamingMultiprocessor::place_of(const WarpContext& warp) const {
  return {index_, warp.slot % params_.sub_cores, warp.state.cta->linear_index, warp.state.index_in_cta};
}

void StreamingMultiprocessor::spent(const WarpContext& warp, Stall reason, Cycle begin, Cycle end) {
  launch_->probe->stall({place_of(warp), reason, begin - launch_->start_cycle, end - launch_->start_cycle});
}

void StreamingMultiprocessor::tick(Cycle now) {
  while (events_.due(now)) handle(events_.pop());
  while (inbox_.due(now)) handle(inbox_.pop(), now);
  if (lsu_.tick(now)) {
    for (auto& sub_core : sub_cores_) sub_core->wake(now);
  }
  for (auto& sub_core : sub_cores_) sub_core->tick(now);
}

void StreamingMultiprocessor::handle(const Event& event) {
  if (event.kind == Event::Kind::kBarrierOpen || event.kind == Event::Kind::kClusterOpen) {
    open_barrier(event);
    return;
  }
  if (event.kind == Event::Kind::kPhaseCompleted) {
    for (auto& warp : warps_) warp->suspended = false;
    for (auto& sub_core : sub_cores_) sub_core->wake(event.cycle);
    return;
  }
  if (event.kind == Event::Kind::kDataArrived) {
    lsu_.data_arrived(event.index, event.cycle);
    return;
  }
  WarpContext& warp = warp_in(event.warp);
  if (warp.generation != event.generation) return;  // its warp has exited
  if (event.kind == Event::Kind::kStoreLeft) {
    if (--warp.stores == 0 && warp.state.exited()) leave(warp, event.cycle);
    return;
  }
  if (event.kind == Event::Kind::kReleaseScoreboard) {
    --warp.scoreboard[event.index];
  } else {
    warp.copies.copy_done(event.index);
    copies_landed(warp, event.cycle);
  }
  sub_cores_[static_cast<std::size_t>(warp.slot % params_.sub_cores)]->wake(event.cycle);
}

void StreamingMultiprocessor::open_barrier(const Event& event) {
  const bool of_cluster = event.kind == Event::Kind::kClusterOpen;
  if (of_cluster) {  // a CTA that has ended may have left its place to one of another cluster
    const Cluster* const cluster = ctas_[event.warp].cluster.get();
    if (cluster == nullptr || cluster->number() != event.index) return;
  }
  for (auto& warp : warps_) {
    bool& arrived = of_cluster ? warp->at_cluster_barrier : warp->at_barrier;
    bool& waits = of_cluster ? warp->waits_for_cluster : warp->held_at_barrier;
    if (!arrived || warp->cta_slot != event.warp || (!of_cluster && warp->barrier != event.index)) continue;
    arrived = false;
    if (!waits) continue;  // it has not had to wait
    waits = false;
    warp->wait_cleared = event.cycle;
    warp->waited_for = Stall::kBarrier;
    sub_cores_[static_cast<std::size_t>(warp->slot % params_.sub_cores)]->wake(event.cycle);
  }
}

void StreamingMultiprocessor::open_cluster_barrier(int slot, std::uint32_t number, Cycle cycle) {
  events_.push(cycle, Event::Kind::kClusterOpen, slot, 0, number);
  schedule(cycle);
}

void StreamingMultiprocessor::at_cluster_barrier(WarpContext& warp, const isa::Instruction& instruction, Cycle now) {
  Cluster* const cluster = ctas_[static_cast<std::size_t>(warp.cta_slot)].cluster.get();
  const auto fault = [&](const char* what) { isa::throw_fault(instruction, warp.state, context_, -1, what); };
  if (cluster == nullptr) fault("the launch has no clusters");
  const bool arrives = result_.cluster_barrier == isa::ClusterBarrier::kArrive;
  if (arrives == warp.cluster_phase.has_value()) {
    fault(arrives ? "has arrived at the barrier of the cluster already and not waited since"
                  : "waits at the barrier of the cluster without having arrived");
  }
  warp.cluster_phase.reset();
  if (!arrives) return;
  warp.at_cluster_barrier = true;
  const Cycle taken = std::max(now, cluster_arrival_free_);
  cluster_arrival_free_ = taken + static_cast<Cycle>(params_.cluster.arrival_interval);
  warp.cluster_phase = cluster->arrive(taken);
}

/// What was stored is to be seen beyond the SM before the warp goes on.
void StreamingMultiprocessor::fence(WarpContext& warp, const isa::Instruction& instruction, Cycle now) {
  constexpr std::uint16_t kScopes = 15, kGpu = 2;
  const bool in_cluster = ctas_[static_cast<std::size_t>(warp.cta_slot)].cluster != nullptr;
  if (!in_cluster || (instruction.mod.variant & kScopes) < kGpu) return;
  const Cycle begin = std::max(now, fence_free_);
  fence_free_ = begin + static_cast<Cycle>(params_.cluster.fence_interval);
  warp.stall_until = std::max(warp.stall_until, begin + static_cast<Cycle>(params_.cluster.fence_latency));
}

void StreamingMultiprocessor::receive(ClusterMessage message) {
  const Cycle cycle = message.cycle;
  inbox_.push(std::move(message));
  schedule(cycle);
}

/// From one SM of the cluster to another, what ports and data stage take at the least left out.
Cycle StreamingMultiprocessor::half_way(const Cluster& cluster) const {
  constexpr int kPortsAndData = 6;
  return static_cast<Cycle>(std::max(1, (cluster.load_latency() - params_.lsu.queue_latency - kPortsAndData) / 2));
}

void StreamingMultiprocessor::send_remote(const MemoryInstruction& instruction, const RemotePart& part,
                                          std::uint32_t token, Cycle cycle) {
  const CtaSlot& slot = ctas_[static_cast<std::size_t>(warp_in(instruction.warp).cta_slot)];
  if (!slot.cluster) return;  // the CTA has ended behind its last stores
  ClusterMessage message;
  message.cycle = cycle + half_way(*slot.cluster);
  message.from = index_;
  message.order = messages_++;
  message.cluster = slot.cluster;
  message.sender = slot.state.cluster_rank;
  message.token = token;
  message.part = part;
  slot.cluster->sm_of(part.rank).receive(std::move(message));
}

void StreamingMultiprocessor::send_arrivals(const WarpContext& warp, Cycle now) {
  const CtaSlot& slot = ctas_[static_cast<std::size_t>(warp.cta_slot)];
  for (const isa::RemoteArrival& remote : result_.remote_arrivals) {
    ClusterMessage message;
    message.kind = ClusterMessage::Kind::kArrival;
    message.cycle = now + static_cast<Cycle>(params_.cluster.arrive_latency);
    message.from = index_;
    message.order = messages_++;
    message.cluster = slot.cluster;
    message.part.rank = remote.rank;
    message.arrival = remote.arrival;
    slot.cluster->sm_of(remote.rank).receive(std::move(message));
  }
}

void StreamingMultiprocessor::handle(const ClusterMessage& message, Cycle now) {
  Cluster& cluster = *message.cluster;
  if (message.kind == ClusterMessage::Kind::kReply) {
    lsu_.remote_reply(message.token, message.part.reply_packets, now);
  } else if (message.kind == ClusterMessage::Kind::kArrival) {
    isa::CtaState* const cta = cluster.memories()[message.part.rank];
    if (cta == nullptr) {
      throw isa::SimulatedFault(
          fmt::format("kernel {}: an arrival at an mbarrier of CTA {} of a cluster, which has exited",
                      launch_->kernel->name, message.part.rank));
    }
    const bool completed =
        isa::complete_copy_arrival(*cta, *launch_->kernel, message.arrival, "other CTAs of the cluster");
    if (completed) wake_suspended(now);
  } else {
    const Cycle left = lsu_.serve_remote(message.part, now);
    if (message.part.reply_packets == 0) return;
    ClusterMessage reply = message;
    reply.kind = ClusterMessage::Kind::kReply;
    reply.cycle = left + half_way(cluster);
    reply.from = index_;
    reply.order = messages_++;
    cluster.sm_of(message.sender).receive(std::move(reply));
  }
}

void StreamingMultiprocessor::copies_landed(WarpContext& warp, Cycle now) {
  while (const auto end = warp.copies.pop_complete()) {
    if (end->scoreboard < kScoreboards) --warp.scoreboard[end->scoreboard];
    if (!end->arrival) continue;
    CtaSlot& slot = ctas_[static_cast<std::size_t>(warp.cta_slot)];
    if (isa::complete_copy_arrival(slot.state, *launch_->kernel, *end->arrival)) wake_suspended(now);
    progress_.progress();
  }
}

void StreamingMultiprocessor::wake_suspended(Cycle cycle) {
  events_.push(cycle, Event::Kind::kPhaseCompleted, 0, 0, 0);
}

void StreamingMultiprocessor::issue(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                    Cycle now) {
  context_.cycle = now - launch_->start_cycle;
  context_.global_timer_ns = static_cast<std::uint64_t>(static_cast<double>(context_.cycle) * 1e3 / launch_->clock_mhz);
  context_.warp_slot = warp.slot;
  if (warp.matrix_results.overlap(info.registers, now)) use_matrix_result(warp, instruction, info, now);
  const isa::LaneMask active = warp.state.active;
  execute(warp, instruction, info);
  progress_.note(warp, instruction, result_, context_);
  if (launch_->dependences != nullptr) check_dependences(warp, instruction, active);
  if (launch_->probe != nullptr) {
    launch_->probe->issue({place_of(warp), context_.cycle, instruction.address, result_.lanes});
  }
  ++statistics_.warp_instructions;
  statistics_.thread_instructions += static_cast<std::uint64_t>(__builtin_popcount(result_.lanes));
  if (result_.branched || result_.converges) warp.stall_until = branch_end(info, warp.stall_until, now);
  if (result_.driver_lanes != 0) warp.stall_until += driver_cycles();
  if (result_.sleeps_until_ns != 0) sleep(warp, now);

  if (info.is_tensor) {
    count_tensor(instruction, info);
    if (result_.lanes != 0) warp.matrix_results.issued(instruction, info.results, now, info.mma.latency);
    lsu_.matrix_operands(warp.slot % params_.sub_cores, now + static_cast<Cycle>(info.mma.collect_cycles));
  } else if (info.memory != MemoryKind::kNone) {
    send_memory(warp, instruction, info, now);
  } else {
    if (info.constant_line >= 0) {
      warp.stall_until =
          std::max(warp.stall_until, constants_.arrival(static_cast<std::uint64_t>(info.constant_line), now));
    }
    const isa::Control& control = instruction.control;
    const Cycle result = constants_.delay(instruction, result_, now) + info.latency;
    const auto mark = [&](std::uint8_t scoreboard, Cycle release) {
      if (scoreboard >= kScoreboards) return;
      ++warp.scoreboard[scoreboard];
      warp.scoreboard_kind[scoreboard] = Stall::kScoreboardOther;
      events_.push(release, Event::Kind::kReleaseScoreboard, warp.slot, warp.generation, scoreboard);
    };
    mark(control.write_scoreboard, now + result);
    mark(control.read_scoreboard, now + static_cast<Cycle>(params_.lsu.read_release));
  }
  if (result_.phase_completed) wake_suspended(now + static_cast<Cycle>(params_.mbarrier.wake_latency));
  if (instruction.opcode == isa::Opcode::kMembar && result_.lanes != 0) fence(warp, instruction, now);
  if (!result_.remote_arrivals.empty()) send_arrivals(warp, now);
  if (result_.barrier) arrive_at_barrier(warp, now, info.defers_barrier);
  if (result_.cluster_barrier != isa::ClusterBarrier::kNone) at_cluster_barrier(warp, instruction, now);
  if (warp.state.exited()) end_warp(warp, now);
}

/// A matrix instruction's registers are used before it is complete: too early, or by somebody who reads them late.
void StreamingMultiprocessor::use_matrix_result(WarpContext& warp, const isa::Instruction& instruction,
                                                const IssueInfo& info, Cycle now) {
  const auto early = warp.matrix_results.early_use(instruction, now);
  if (early) isa::throw_fault(instruction, warp.state, context_, -1, describe(*early, *launch_->kernel));
  if (launch_->tensor_core_steps) tensor_core_of(warp).settle(warp, info.registers);
}

void StreamingMultiprocessor::check_dependences(const WarpContext& warp, const isa::Instruction& instruction,
                                                isa::LaneMask active) {
  const auto broken = dependences_[static_cast<std::size_t>(warp.slot)].issued(
      *launch_->dependences, instruction.address / isa::kInstructionBytes, active, result_.lanes, result_.branched);
  if (broken) isa::throw_fault(instruction, warp.state, context_, -1, describe(*broken, *launch_->kernel));
}

/// First issue behind a branch issued at `now` whose stall count ends at `stalled`.
Cycle StreamingMultiprocessor::branch_end(const IssueInfo& info, Cycle stalled, Cycle now) const {
  const dependence::IssueCycles cycles = issue_cycles(params_.issue);
  int taken = static_cast<int>(stalled - now);
  if (result_.branched) taken = branch_cycles(taken, cycles);
  if (info.jumps_through_registers) taken = std::max(taken, params_.issue.indirect_branch_latency);
  // The lanes that jump elsewhere execute it again. Where lanes part and go on without a jump, the extra cycles end no
  // sooner than a branch that all take.
  if (info.jumps_through_registers && result_.converges) taken += params_.issue.taken_branch_latency;
  if (result_.converges) taken = branch_cycles(taken + params_.issue.convergence_cycles, cycles);
  return now + static_cast<Cycle>(taken);
}

/// The running path sleeps on, since no other path of its warp can run.
void StreamingMultiprocessor::sleep(WarpContext& warp, Cycle now) {
  const std::uint64_t ns = result_.sleeps_until_ns;
  const std::uint64_t left = ns > context_.global_timer_ns ? ns - context_.global_timer_ns : 0;
  const auto cycles = static_cast<Cycle>(static_cast<double>(left) * launch_->clock_mhz / 1e3);
  warp.stall_until = std::max(warp.stall_until, now + cycles + static_cast<Cycle>(params_.issue.nanosleep_cycles));
}

void StreamingMultiprocessor::execute(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info) {
  if (!launch_->tensor_core_steps) {
    isa::execute(instruction, warp.state, context_, result_);
    return;
  }
  // The tensor core computes its instructions itself, in its own time.
  context_.values = info.is_tensor ? isa::Values::kAddresses : launch_->values;
  isa::execute(instruction, warp.state, context_, result_);
  if (info.is_tensor && result_.lanes != 0)
    tensor_core_of(warp).issue(warp, instruction, info.results, *launch_->numerics);
}

/// Time that the warp spends in a function of the driver.
Cycle StreamingMultiprocessor::driver_cycles() const {
  const int further = __builtin_popcount(result_.driver_lanes) - 1;
  const DriverParams& driver = params_.driver;
  const auto cycles = [&](int one, int more) { return static_cast<Cycle>(one) + static_cast<Cycle>(more * further); };
  switch (result_.driver_function) {
    case isa::DriverFunction::kPrintf: return cycles(driver.printf_cycles, driver.printf_lane_cycles);
    case isa::DriverFunction::kMalloc: return cycles(driver.malloc_cycles, driver.malloc_lane_cycles);
    case isa::DriverFunction::kFree: return cycles(driver.free_cycles, driver.free_lane_cycles);
    default: return 0;
  }
}

void StreamingMultiprocessor::count_tensor(const isa::Instruction& instruction, const IssueInfo& info) {
  const isa::MmaOp& op = instruction.mma;
  ++statistics_.tensor_instructions;
  if (op.sparse) ++statistics_.sparse_tensor_instructions;
  statistics_.tensor_busy_cycles += static_cast<std::uint64_t>(info.mma.interval);
  statistics_.tensor_logical_macs += static_cast<std::uint64_t>(op.logical_macs());
  statistics_.tensor_stored_macs += static_cast<std::uint64_t>(op.stored_macs());
  auto& file = statistics_.register_file;
  const auto registers = [](int count) { return static_cast<std::uint64_t>(count) * kRegisterBytes; };
  file.read[static_cast<std::size_t>(DataRole::kWeight)] += registers(op.a_registers());
  file.read[static_cast<std::size_t>(DataRole::kActivation)] += registers(op.b_registers());
  file.read[static_cast<std::size_t>(DataRole::kOutput)] += registers(op.c_registers());
  file.write[static_cast<std::size_t>(DataRole::kOutput)] += registers(op.c_registers());
  if (op.sparse) {
    // A selector uses part of the metadata register; the bits that steer are what counts as traffic.
    const int groups = op.m * op.k / op.pattern.group_elements();
    file.read[static_cast<std::size_t>(DataRole::kMetadata)] +=
        static_cast<std::uint64_t>(groups * op.pattern.index_bits_per_group() / 8);
  }
}

/// Line in which the warp's local memory begins: every place for a warp has its own, in the kernel's stack size.
std::uint64_t StreamingMultiprocessor::first_local_line(const WarpContext& warp) const {
  constexpr std::uint64_t kWindow = std::uint64_t{1} << 42;  // no buffer lies there
  constexpr std::uint64_t kWarps = 64;
  const std::uint64_t words = launch_->kernel->local_bytes / 4 + 1;
  return kWindow + (static_cast<std::uint64_t>(index_) * kWarps + static_cast<std::uint64_t>(warp.slot)) * words;
}

void StreamingMultiprocessor::send_memory(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                          Cycle now) {
  MemoryInstruction request;
  request.kind = info.memory;
  request.warp = static_cast<std::uint16_t>(warp.slot);
  request.generation = warp.generation;
  request.sub_core = static_cast<std::uint8_t>(warp.slot % params_.sub_cores);
  request.write_scoreboard = instruction.control.write_scoreboard;
  request.read_scoreboard = instruction.control.read_scoreboard;
  request.data_registers = info.data_registers;
  request.source_registers = info.source_registers;
  request.wide = instruction.opcode == isa::Opcode::kLds && instruction.mem.bytes > 4;
  constexpr std::uint8_t kStrongAtGpu = 7;  // .STRONG.GPU and .STRONG.SYS read what L2 holds
  request.bypass_l1 = instruction.mem.bypass_l1 || instruction.mem.scope >= kStrongAtGpu;
  request.whole_line = instruction.mem.prefetch_bytes_log2 >= 7;
  request.role = result_.role;
  request.issued = now;
  const isa::LaneMask lanes = result_.access_lanes;
  const auto bytes = static_cast<std::uint64_t>(__builtin_popcount(lanes)) * result_.bytes_per_lane;
  const auto role = static_cast<std::size_t>(result_.role);

  Wavefronts fronts;
  if (info.memory == MemoryKind::kSharedLoad || info.memory == MemoryKind::kSharedStore) {
    if (instruction.mem.matrices != 0) {
      fronts = matrix_wavefronts(result_.address.data(), instruction.mem.matrices);
      fronts.total = lanes != 0 ? fronts.total : 0;
      const auto moved = lanes != 0 ? static_cast<std::uint64_t>(instruction.mem.matrices) * 128 : 0;
      (result_.is_write ? statistics_.shared.write : statistics_.shared.read)[role] += moved;
    } else {
      fronts = shared_wavefronts(result_.address.data(), lanes, result_.bytes_per_lane);
      const bool counts = instruction.opcode == isa::Opcode::kAtoms && instruction.mod.variant == kCountsLanes;
      if (result_.is_atomic && !counts) {
        const bool swaps = instruction.mem.atomic == isa::AtomicOp::kCas;
        const int each = swaps ? params_.lsu.compare_and_swap_wavefronts : 1;
        const int again =
            std::max(0, atomic_passes(result_.address.data(), lanes) - 1) * each + fronts.conflicts * (each - 1);
        fronts.conflicts += again;
        fronts.total += again;
      }
      // With all lanes off it takes its turn all the same (the LDS that nvcc puts before LDGSTS).
      if (lanes == 0) fronts.total = 1;
      (result_.is_write ? statistics_.shared.write : statistics_.shared.read)[role] += bytes;
    }
  } else if (info.memory == MemoryKind::kAsyncCopy) {
    coalesce(result_.address.data(), lanes, result_.bytes_per_lane, request.lines);
    // The fill writes whole rows: hardware counts one wavefront and those that conflicts add.
    fronts = shared_wavefronts(result_.shared_address.data(), lanes, result_.bytes_per_lane);
    // Through the L1 it takes the data stage several times more, hit or miss.
    const int through_l1 = instruction.mem.bypass_l1 ? 0 : params_.lsu.cached_copy_wavefronts;
    fronts.total = std::max(1, 1 + fronts.conflicts) + (lanes != 0 ? through_l1 : 0);
    // Lanes whose copy predicate is false fetch nothing; their zeros are stored as any data are, beside data that come
    // through the L1 at no further cost.
    const bool cached = !instruction.mem.bypass_l1 && lanes != 0;
    const isa::LaneMask zeros = cached ? 0 : result_.shared_lanes & ~lanes;
    const Wavefronts zero_rows = shared_wavefronts(result_.shared_address.data(), zeros, result_.bytes_per_lane);
    request.zero_wavefronts = zero_rows.total;
    if (lanes == 0 && zeros != 0) fronts = {};
    statistics_.shared_wavefronts += static_cast<std::uint64_t>(zero_rows.total);
    statistics_.shared_conflict_wavefronts += static_cast<std::uint64_t>(zero_rows.conflicts);
    const auto written = static_cast<std::uint64_t>(__builtin_popcount(result_.shared_lanes));
    statistics_.shared.write[role] += written * result_.bytes_per_lane;
    request.copy_group = warp.copies.add_copy();
  } else if (info.memory == MemoryKind::kCopyFence) {
    request.copy_group = warp.copies.add_copy();
    CopyGroupEnd end{instruction.control.write_scoreboard, std::nullopt};
    if (result_.arrives_after_copies) end.arrival = result_.copy_arrival;
    warp.copies.close(end);
    request.write_scoreboard = isa::kNoScoreboard;
    if (instruction.control.write_scoreboard < kScoreboards) {
      ++warp.scoreboard[instruction.control.write_scoreboard];
      warp.scoreboard_kind[instruction.control.write_scoreboard] = Stall::kAsyncCopy;
    }
  } else if (info.memory == MemoryKind::kMbarrier) {
    fronts.total = distinct_addresses(result_.address.data(), lanes);
    request.checks_phase = instruction.opcode == isa::Opcode::kSyncsPhase;
    request.resumed = warp.resumed;
  } else if (info.memory == MemoryKind::kShuffle) {
    fronts.total = 1;
  } else if (result_.space == isa::Space::kDistributed) {
    request.kind = MemoryKind::kRemote;
    request.remote =
        remote_parts(result_.address.data(), lanes, result_.bytes_per_lane, result_.is_write, result_.is_atomic);
    (result_.is_write ? statistics_.shared.write : statistics_.shared.read)[role] += bytes;
  } else if (result_.space == isa::Space::kShared) {  // generic access to shared memory
    request.kind = result_.is_write ? MemoryKind::kSharedStore : MemoryKind::kSharedLoad;
    fronts = shared_wavefronts(result_.address.data(), lanes, result_.bytes_per_lane);
    (result_.is_write ? statistics_.shared.write : statistics_.shared.read)[role] += bytes;
  } else if (result_.space == isa::Space::kLocal) {
    request.local = true;
    coalesce_local(result_.address.data(), lanes, result_.bytes_per_lane, first_local_line(warp), request.lines);
    fronts.total = std::max(1, result_.bytes_per_lane / 4);  // every lane has a bank of its own
  } else {
    coalesce(result_.address.data(), lanes, result_.bytes_per_lane, request.lines);
    fronts.total = std::max(1, request.lines.count);
    if (result_.is_atomic) {
      const AtomicKind kind = atomic_kind(instruction);
      request.waits_for_sum = kind == AtomicKind::kFloat || kind == AtomicKind::kDouble;
      count_packets(result_.address.data(), lanes, kind, request.lines);
    }
  }
  const bool shared_access = info.memory == MemoryKind::kSharedLoad || info.memory == MemoryKind::kSharedStore;
  const bool to_shared = shared_access || info.memory == MemoryKind::kAsyncCopy ||
                         result_.space == isa::Space::kShared || result_.space == isa::Space::kDistributed;
  if (request.kind == MemoryKind::kGlobalAtomic) ++warp.stores;
  if (info.memory == MemoryKind::kGlobalStore && !to_shared) {
    ++warp.stores;
    statistics_.shared_wavefronts += std::max<std::uint64_t>(1, result_.bytes_per_lane / 8);
  }
  if (info.memory != MemoryKind::kShuffle && to_shared) {
    const bool fetches = info.memory == MemoryKind::kAsyncCopy && lanes != 0;
    (fetches ? statistics_.copy_wavefronts : statistics_.shared_wavefronts) += static_cast<std::uint64_t>(fronts.total);
    statistics_.shared_conflict_wavefronts += static_cast<std::uint64_t>(fronts.conflicts);
  }
  request.wavefronts = fronts.total;

  const auto hold = [&](std::uint8_t scoreboard) {
    if (scoreboard >= kScoreboards) return;
    ++warp.scoreboard[scoreboard];
    warp.scoreboard_kind[scoreboard] = info.scoreboard_stall;
  };
  hold(request.write_scoreboard);
  hold(request.read_scoreboard);
  lsu_.enqueue(request);
}

void StreamingMultiprocessor::send(const LineQuery& query) {
  tlm::tlm_generic_payload& payload = payloads_.acquire();
  memory::LineRequest& request = *payload.get_extension<memory::LineRequest>();
  payload.set_address(query.access.line * memory::kLineBytes);
  payload.set_command(query.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  request.sectors = query.access.sectors;
  request.atomic = query.atomic;
  request.packets = query.access.packets;
  request.passes = query.access.passes;
  request.waits_for_sum = query.waits_for_sum;
  request.leaves_in = query.leaves_in;
  request.whole_line = query.whole_line;
  request.role = query.role;
  request.sm = index_;
  request.partition = partition_;
  request.token = query.token;
  const int sectors = memory::sector_count(query.access.sectors);
  ++statistics_.l2_requests;
  statistics_.l2_sectors += static_cast<std::uint64_t>(sectors);
  (query.write ? statistics_.l2.write : statistics_.l2.read)[static_cast<std::size_t>(query.role)] +=
      static_cast<std::uint64_t>(sectors) * memory::kSectorBytes;
  if (launch_->probe != nullptr) {
    launch_->probe->memory_request(
        {index_, now_cycle() - launch_->start_cycle, payload.get_address(), sectors, query.write, query.role});
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  to_crossbar->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum StreamingMultiprocessor::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                            sc_core::sc_time& delay) {
  const Tick arrival = to_ticks(sc_core::sc_time_stamp()) + to_ticks(delay);
  const Cycle cycle = (arrival + kTicksPerCycle - 1) / kTicksPerCycle;
  if (phase == tlm::END_REQ) {
    lsu_.hold_stores(cycle);
    return tlm::TLM_ACCEPTED;
  }
  lsu_.response(payload.get_extension<memory::LineRequest>()->token, cycle);
  if (events_.next() != kNever) schedule(std::max(events_.next(), now_cycle() + 1));
  return tlm::TLM_COMPLETED;
}

void StreamingMultiprocessor::arrive_at_barrier(WarpContext& warp, Cycle now, bool defers) {
  const Cycle taken = barriers_.take(now);
  const auto id = static_cast<std::size_t>(result_.barrier_id);
  CtaBarriers& barriers = ctas_[static_cast<std::size_t>(warp.cta_slot)].barriers;
  ++barriers.arrived[id];
  barriers.expected[id] = static_cast<int>((result_.barrier_threads + isa::kWarpSize - 1) / isa::kWarpSize);
  if (!result_.barrier_arrive_only) {
    warp.at_barrier = true;
    warp.held_at_barrier = !defers;
    warp.barrier = result_.barrier_id;
  }
  open_if_complete(warp.cta_slot, result_.barrier_id, taken);
}

int StreamingMultiprocessor::warps_expected(const CtaSlot& slot, std::size_t barrier) {
  return slot.barriers.expected[barrier] == 0 ? slot.warps_left : slot.barriers.expected[barrier];
}

void StreamingMultiprocessor::open_if_complete(int cta_slot, int barrier, Cycle taken) {
  CtaSlot& slot = ctas_[static_cast<std::size_t>(cta_slot)];
  const auto id = static_cast<std::size_t>(barrier);
  const int expected = warps_expected(slot, id);
  if (slot.barriers.arrived[id] == 0 || slot.barriers.arrived[id] < expected) return;
  slot.barriers.arrived[id] = 0;
  events_.push(barriers_.opens(taken), Event::Kind::kBarrierOpen, cta_slot, 0, static_cast<std::uint32_t>(barrier));
}

void StreamingMultiprocessor::end_warp(WarpContext& warp, Cycle now) {
  sub_cores_[static_cast<std::size_t>(warp.slot % params_.sub_cores)]->remove(warp);
  CtaSlot& slot = ctas_[static_cast<std::size_t>(warp.cta_slot)];
  --slot.warps_left;
  if (slot.cluster) slot.cluster->warp_exits(now, warp.cluster_phase);
  if (slot.cluster && slot.warps_left == 0) slot.cluster->cta_exits(slot.state.cluster_rank);
  if (slot.warps_left > 0) {
    for (int id = 0; id < kBarriersPerCta; ++id) {
      if (slot.barriers.arrived[static_cast<std::size_t>(id)] != 0) open_if_complete(warp.cta_slot, id, now);
    }
  }
  if (warp.stores == 0) leave(warp, now + 1);
}

void StreamingMultiprocessor::leave(WarpContext& warp, Cycle end) {
  if (end > warp.accounted) {
    statistics_.stalls[static_cast<std::size_t>(Stall::kDrain)] += end - warp.accounted;
    if (launch_->probe != nullptr) spent(warp, Stall::kDrain, warp.accounted, end);
  }
  CtaSlot& slot = ctas_[static_cast<std::size_t>(warp.cta_slot)];
  warp_cycles_ += std::max(end, warp.accounted) - launch_->start_cycle - slot.record.start;
  if (--slot.warps_resident > 0) return;
  slot.used = false;
  slot.cluster.reset();
  slot.record.end = end - launch_->start_cycle;
  if (--resident_ == 0) {
    statistics_.cycles_active += end - active_since_;
    assert(sum_of(statistics_.stalls) == warp_cycles_ && "every cycle of a warp is counted once");
  }
  on_cta_end(index_, slot.record);
}

bool StreamingMultiprocessor::stands_still() const {
  return std::all_of(warps_.begin(), warps_.end(), [&](const std::unique_ptr<WarpContext>& warp) {
    const CtaSlot& slot = ctas_[static_cast<std::size_t>(warp->cta_slot)];
    return !slot.used || warp->state.exited() || progress_.stands_still(*warp);
  });
}

std::string StreamingMultiprocessor::describe_warps() const {
  std::string text;
  for (const auto& sub_core : sub_cores_) text += sub_core->describe_warps();
  for (const CtaSlot& slot : ctas_) {
    for (std::size_t id = 0; slot.used && id < static_cast<std::size_t>(kBarriersPerCta); ++id) {
      if (slot.barriers.arrived[id] == 0) continue;
      text += fmt::format("  CTA {} barrier {}: {} of {} warps arrived, {} warps have not exited\n",
                          slot.state.linear_index, id, slot.barriers.arrived[id], warps_expected(slot, id),
                          slot.warps_left);
    }
  }
  return text;
}

}  // namespace stc::sm
