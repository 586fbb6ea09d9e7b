// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/core/time_base.h"
#include "models/gpu/sm_layout.h"
#include "models/memory/external_memory.h"
#include "models/memory/hbm.h"

namespace stc::gpu {

namespace {

constexpr std::uint64_t kForever = ~std::uint64_t{0};
constexpr std::uint64_t kLongestStep = std::uint64_t{1} << 40;  // that SystemC's time can hold, in cycles
constexpr std::uint64_t kLookEvery = 4096;                      // cycles after which it looks whether all is done
constexpr int kLooksAtTheEnd = 1024;                            // of a launch that has failed
constexpr std::uint64_t kIdleSpans = 4;                         // of a quarter of idle_cycles each

std::unique_ptr<memory::DeviceMemory> device_memory(const memory::HbmParams& built_in, const OwnMemory* own) {
  if (own == nullptr) return std::make_unique<memory::Hbm>(built_in);
  auto boundary = std::make_unique<memory::ExternalMemory>("device_memory", own->channels);
  for (int channel = 0; channel < own->channels; ++channel) own->bind(channel, boundary->socket(channel));
  return boundary;
}

/// Returns `name`, unless it is too late to build modules.
sc_core::sc_module_name& before_simulation(sc_core::sc_module_name& name) {
  if (sc_core::sc_get_status() <= sc_core::SC_BEFORE_END_OF_ELABORATION) return name;
  throw std::logic_error(
      fmt::format("GPU '{}' cannot be built any more: the simulation has started, and SystemC builds no modules after "
                  "that. Build every gpu::Machine of a process before the first of them runs a launch, or run this one "
                  "in a process of its own.",
                  static_cast<const char*>(name)));
}

}  // namespace

Machine::Machine(sc_core::sc_module_name name, const GpuParams& params, TensorCoreModel tensor_core,
                 const OwnMemory* own_memory)
    : sc_module(before_simulation(name)),
      params_(params),
      tensor_core_(tensor_core),
      numerics_(arith::Numerics::of(params.sm_version)),
      own_memory_(own_memory != nullptr),
      crossbar_("crossbar", gpc_of_sms(params), params.memory),
      device_memory_(device_memory(params.memory.hbm, own_memory)),
      dispatcher_("dispatcher", params_, sms_) {
  for (int i = 0; i < params.memory.l2.partitions; ++i) {
    partitions_.push_back(std::make_unique<memory::L2Partition>(fmt::format("l2_partition{}", i).c_str(), i,
                                                                params.memory, *device_memory_));
  }
  const std::vector<int> partitions = partition_of_sms(params);
  const bool steps = tensor_core == TensorCoreModel::kSteps;
  for (int i = 0; i < params.sms; ++i) {
    sms_.push_back(std::make_unique<sm::StreamingMultiprocessor>(fmt::format("sm{}", i).c_str(), i,
                                                                 partitions[static_cast<std::size_t>(i)], params_.sm,
                                                                 steps ? std::optional(numerics_) : std::nullopt));
  }
  connect();
}

void Machine::connect() {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i]->to_crossbar().bind(crossbar_.from_sm[i]);
    sms_[i]->on_cta_end = [this](int sm, const CtaRecord& record) {
      records_.push_back(record);
      if (probe_ != nullptr) probe_->cta_end(record);
      dispatcher_.slot_freed(sm);
    };
    sms_[i]->on_fault = [this](std::exception_ptr fault) {
      if (!fault_) fault_ = fault;
      sc_core::sc_pause();
    };
  }
  dispatcher_.on_start = [this](int sm, std::uint64_t cta, std::uint64_t cycle) {
    if (probe_ != nullptr) probe_->cta_begin({cta, sm, cycle - context_.start_cycle, 0});
  };
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    crossbar_.to_partition[p].bind(partitions_[p]->from_crossbar);
    partitions_[p]->to_peer.bind(partitions_[(p + 1) % partitions_.size()]->from_peer);
  }
}

std::uint64_t Machine::cycle() const { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

void Machine::warm_l2(const isa::GlobalMemory& memory) {
  for (const isa::Allocation& allocation : memory.allocations()) {
    const std::uint64_t first = allocation.address / memory::kLineBytes;
    const std::uint64_t last = (allocation.address + allocation.bytes - 1) / memory::kLineBytes;
    for (std::uint64_t line = first; allocation.bytes != 0 && line <= last; ++line) {
      const int home = memory::home_partition(line, params_.memory.l2);
      for (int p = 0; p < params_.memory.l2.partitions; ++p) {
        if (p == home || params_.memory.l2.replicate_far_lines) {
          partitions_[static_cast<std::size_t>(p)]->touch(line, allocation.role);
        }
      }
    }
  }
}

void Machine::reset(const Launch& launch) {
  crossbar_.reset(context_.start_cycle);
  device_memory_->reset(context_.start_cycle, launch.memory);
  for (auto& partition : partitions_) partition->reset(launch.options.l2 == L2State::kAsLeft);
  if (launch.options.l2 == L2State::kWarm) warm_l2(*launch.memory);
  for (auto& sm : sms_) sm->begin_launch(&context_);
  records_.clear();
  fault_ = nullptr;
  limit_reached_ = false;
}

void Machine::check_dependences(const Launch& launch) {
  dependences_.reset();
  if (launch.options.check_dependences) {
    const auto latency = [this](const isa::MmaOp& op) {
      return tensor_core::mma_timing(op, params_.sm.tensor_core).latency;
    };
    dependences_.emplace(*launch.kernel, latency, issue_cycles(params_.sm.issue));
  }
  context_.dependences = dependences_ ? &*dependences_ : nullptr;
}

RunStatistics Machine::run(const Launch& launch) {
  const Occupancy fit = occupancy(params_, *launch.kernel, launch.block, launch.dynamic_shared_bytes);
  const std::optional<isa::Dim3> cluster =
      cluster_of(params_, *launch.kernel, launch.grid, launch.cluster, launch.non_portable_cluster, fit);
  infos_ = sm::classify(*launch.kernel, params_.sm);

  context_.kernel = launch.kernel;
  context_.infos = &infos_;
  check_dependences(launch);
  context_.memory = launch.memory;
  context_.heap = launch.heap;
  context_.output = launch.output;
  context_.numerics = &numerics_;
  context_.values = launch.options.values;
  const bool steps = launch.options.tensor_core == TensorCoreModel::kSteps;
  if (steps && tensor_core_ != TensorCoreModel::kSteps) {
    throw std::logic_error(fmt::format("GPU '{}' was not built with tensor cores that compute in steps", name()));
  }
  context_.tensor_core_steps = steps && launch.options.values == isa::Values::kFull;
  context_.grid = launch.grid;
  context_.block = launch.block;
  context_.cluster = cluster;
  context_.shared_bytes_per_cta = launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes +
                                  static_cast<std::uint32_t>(params_.sm.occupancy.reserved_shared_bytes);
  context_.constant0 = isa::launch_constants(*launch.kernel, launch.grid, launch.block, launch.parameters,
                                             launch.dynamic_shared_bytes, launch.grid_workspace, cluster);
  context_.ctas_per_sm = fit.ctas_per_sm;
  context_.cta_launch_latency = params_.launch.cta_launch_latency;
  context_.caches_emptied = launch.options.l2 == L2State::kCold;
  context_.clock_mhz = params_.clock_mhz;
  context_.poison = launch.poison;
  context_.unset_symbols = launch.unset_symbols;
  context_.shuffle_seed = launch.options.shuffle_seed;
  probe_ = launch.probe;
  context_.probe = probe_ != nullptr && !probe_->only_ctas() ? probe_ : nullptr;
  // Whole cycles only: the launch begins at the next one.
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  context_.start_cycle = (now + kTicksPerCycle - 1) / kTicksPerCycle;
  reset(launch);
  try {
    simulate(launch);
  } catch (...) {
    abandon();
    throw;
  }
  return collect(fit);
}

void Machine::simulate(const Launch& launch) {
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  const Tick begin = context_.start_cycle * kTicksPerCycle;
  if (begin > now) sc_core::sc_start(to_time(begin - now));

  const std::uint64_t total = launch.grid.count();
  dispatcher_.begin_launch(context_);
  // Runs until nothing is left to happen: stores of the last CTAs still reach L2 after their warps have exited.
  const std::uint64_t limit = launch.options.max_cycles;
  run_until(limit == 0 ? kForever : context_.start_cycle + limit, launch.options);
  if (fault_) std::rethrow_exception(fault_);
  if (dispatcher_.done()) return;
  if (limit != 0 && sc_core::sc_pending_activity()) {
    throw Deadlock(
        fmt::format("stopped at the limit of {} cycles; {} of {} CTAs have ended", limit, dispatcher_.ended(), total));
  }
  report_deadlock("deadlock: no warp can issue any more");
}

void Machine::abandon() {
  for (auto& sm : sms_) sm->halt();
  // A memory of the user's own may have a clock, which never ends, or never answer.
  for (int looks = 0; looks < kLooksAtTheEnd; ++looks) {
    fault_ = nullptr;  // it has been thrown
    if (!advance_to(sc_core::sc_time_stamp() + to_time(kLookEvery * kTicksPerCycle))) return;
    if (own_memory_ && device_memory_->idle()) return;
  }
}

void Machine::run_until(std::uint64_t end, const LaunchOptions& options) {
  const std::uint64_t span = options.idle_cycles == 0 ? kForever : (options.idle_cycles + kIdleSpans - 1) / kIdleSpans;
  std::uint64_t idle_spans = 0;
  while (!fault_) {
    begin_span(idle_spans);
    const std::uint64_t step = std::min(end - std::min(end, cycle()), span);
    if (step == 0) return;
    if (!advance(std::min(step, kLongestStep))) return;
    idle_spans = progressed(idle_spans) ? 0 : idle_spans + 1;
    if (idle_spans == kIdleSpans && !fault_)
      report_deadlock(fmt::format("no progress for {} cycles", idle_spans * span));
  }
}

bool Machine::advance(std::uint64_t cycles) {
  const sc_core::sc_time end = sc_core::sc_time_stamp() + to_time(cycles * kTicksPerCycle);
  // A memory of the user's own may have a clock, with which there always is something left to happen.
  while (!fault_ && sc_core::sc_time_stamp() < end) {
    const bool stores_left = dispatcher_.done();
    const sc_core::sc_time step = sc_core::sc_time_stamp() + to_time(kLookEvery * kTicksPerCycle);
    if (!advance_to(std::min(end, step)) || (stores_left && device_memory_->idle())) return false;
  }
  return true;
}

bool Machine::advance_to(const sc_core::sc_time& end) {
  // SystemC warns when nothing happens until the end of such a call.
  if (sc_core::sc_time_to_pending_activity() <= end - sc_core::sc_time_stamp()) {
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
  }
  if (!sc_core::sc_pending_activity()) return false;
  // It stops at the last event before the end.
  if (!fault_ && sc_core::sc_time_stamp() < end) {
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
  }
  return true;
}

void Machine::begin_span(std::uint64_t idle_spans) {
  using Stage = sm::ProgressWatch::Stage;
  const Stage stage = idle_spans == 0 ? Stage::kStores : idle_spans == 1 ? Stage::kGather : Stage::kCompare;
  for (const auto& sm : sms_) sm->begin_span(stage);
}

bool Machine::progressed(std::uint64_t idle_spans) const {
  return std::any_of(sms_.begin(), sms_.end(),
                     [&](const auto& sm) { return sm->progressed() || (idle_spans > 1 && !sm->stands_still()); });
}

void Machine::report_deadlock(const std::string& what) const {
  std::string text =
      fmt::format("{} at cycle {} of kernel '{}'; {} of {} CTAs have ended\n", what, cycle() - context_.start_cycle,
                  context_.kernel->name, dispatcher_.ended(), context_.grid.count());
  if (!device_memory_->idle()) text += "device memory has not answered all that it was asked\n";
  int shown = 0;
  for (const auto& sm : sms_) {
    if (sm->resident() == 0) continue;
    if (++shown > 2) {
      text += "further SMs are left out\n";
      break;
    }
    text += fmt::format("{}:\n{}", sm->basename(), sm->describe_warps());
  }
  throw Deadlock(text);
}

void Machine::count_elapsed(RunStatistics& result) const {
  const double running = params_.clock_mhz * (result.total.tensor_instructions != 0 ? params_.matrix_clock_ratio : 1.0);
  const std::vector<int> gpc_of_sm = gpc_of_sms(params_);
  std::vector<bool> idle(static_cast<std::size_t>(*std::max_element(gpc_of_sm.begin(), gpc_of_sm.end())) + 1, true);
  for (const CtaRecord& record : records_) {
    idle[static_cast<std::size_t>(gpc_of_sm[static_cast<std::size_t>(record.sm)])] = false;
  }
  const bool any_idle = std::find(idle.begin(), idle.end(), true) != idle.end();
  result.clock_mhz = any_idle ? params_.clock_mhz : running;
  result.cycles_elapsed = static_cast<std::uint64_t>(
      std::lround(static_cast<double>(result.cycles) * result.clock_mhz / running + params_.launch.overhead_cycles));
}

RunStatistics Machine::collect(const Occupancy& fit) const {
  RunStatistics result;
  result.ctas_per_sm = most_resident(records_);
  result.occupancy = fit.ctas_per_sm;
  result.occupancy_limit = fit.limit;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const CtaRecord& record : records_) {
    first = std::min(first, record.start);
    last = std::max(last, record.end);
  }
  result.cycles = last - first;
  for (const auto& sm : sms_) {
    result.per_sm.push_back(sm->statistics());
    result.total.add(sm->statistics());
  }
  count_elapsed(result);
  for (const auto& partition : partitions_) result.memory.add(partition->statistics());
  result.memory.add(device_memory_->statistics());
  result.memory.coalesced_sectors = crossbar_.coalesced_sectors();
  result.ctas = records_;
  std::sort(result.ctas.begin(), result.ctas.end(),
            [](const CtaRecord& a, const CtaRecord& b) { return a.linear_index < b.linear_index; });
  return result;
}

}  // namespace stc::gpu
