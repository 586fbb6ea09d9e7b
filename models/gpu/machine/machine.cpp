// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/time_base.h"
#include "models/gpu/machine/collect.h"
#include "models/gpu/machine/machine_modules.h"
#include "models/gpu/sampling/extrapolate.h"
#include "models/gpu/sampling/sampler.h"
#include "models/gpu/sampling/sampling_refused.h"
#include "models/gpu/sm_layout.h"
#include "models/gpu/value_run.h"
#include "models/isa/opcode_traits.h"
#include "models/memory/external_memory.h"
#include "models/memory/hbm.h"
#include "models/memory/memory_clock.h"

namespace stc::gpu {
namespace {

std::unique_ptr<memory::DeviceMemory> device_memory(const memory::HbmParams& built_in, const OwnMemory* own) {
  if (own == nullptr) return std::make_unique<memory::Hbm>(built_in);
  auto boundary = std::make_unique<memory::ExternalMemory>("device_memory", own->channels);
  for (int channel = 0; channel < own->channels; ++channel) own->bind(channel, boundary->socket(channel));
  return boundary;
}

constexpr double kMostSamplingError = 0.05;  ///< of cycles, by its estimate; beyond, a sampled launch is refused

/// Whether what an instruction brings from global memory may be here before L2 has answered, and somebody uses it.
bool may_come_from_l1(const isa::Instruction& in, const isa::UnusedData* unused) {
  if (unused != nullptr && unused->moved_by(in)) return false;
  switch (isa::traits_of(in.opcode).unit) {
    case isa::ExecutionUnit::kGlobalLoad: return in.opcode != isa::Opcode::kLdl && !in.mem.strong_at_gpu();
    case isa::ExecutionUnit::kAsyncCopy: return !in.mem.bypass_l1 && !in.mem.strong_at_gpu();
    case isa::ExecutionUnit::kBulk: return true;  // which nobody has looked into
    default: return false;
  }
}

/// What is left of the SM clock while the kernel runs.
double clock_ratio(const GpuParams& params, const isa::Kernel& kernel) {
  const bool matrix = std::any_of(kernel.code.begin(), kernel.code.end(),
                                  [](const isa::Instruction& in) { return isa::takes_tensor_core(in.opcode); });
  return matrix ? params.matrix_clock_ratio : 1.0;
}

/// How far an SM may run ahead of L2 and the others: in that time nothing comes back to it, and no warp uses what a
/// load from global memory has brought (models/isa/values/load_log.h).
sm::Cycle furthest_ahead(const sm::SmParams& sm, const memory::MemoryParams& memory, const isa::Kernel& kernel,
                         const isa::UnusedData* unused) {
  const memory::CrossbarParams& crossbar = memory.crossbar;
  const int reading = sm.lsu.reading_cycles(sm::LsuParams::kMostCounted);
  const double joined = crossbar.coalesced_requests > 1 ? crossbar.coalescer_reach : memory.l2.near_latency;
  double ahead = std::min(joined, memory.l2.near_latency) - sm.lsu.queue_latency - reading - 1;
  const bool loads = std::any_of(kernel.code.begin(), kernel.code.end(),
                                 [unused](const isa::Instruction& in) { return may_come_from_l1(in, unused); });
  if (loads) ahead = std::min<double>(ahead, sm.lsu.l1_latency - reading - 1);
  return static_cast<sm::Cycle>(std::max(1.0, ahead));
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

Machine::Machine(const char* name, const GpuParams& params, TensorCoreModel tensor_core, const OwnMemory* own_memory)
    : modules_(std::make_unique<MachineModules>(name, params, tensor_core, own_memory)) {}
Machine::~Machine() = default;

RunStatistics Machine::run(const Launch& launch) { return modules_->run(launch); }
const GpuParams& Machine::params() const { return modules_->params(); }
void Machine::use_threads(int threads, bool always) { modules_->use_threads(threads, always); }
int Machine::threads() const { return modules_->threads(); }
void Machine::keep_in_step(bool in_step) { modules_->keep_in_step(in_step); }

MachineModules::MachineModules(sc_core::sc_module_name name, const GpuParams& params, TensorCoreModel tensor_core,
                               const OwnMemory* own_memory)
    : sc_module(before_simulation(name)),
      params_(params),
      tensor_core_(tensor_core),
      numerics_(params.numerics),
      team_("sms", sms_, memory_),
      memory_(params.memory, gpc_of_sms(params), device_memory(params.memory.hbm, own_memory)),
      dispatcher_("dispatcher", params_, sms_),
      own_memory_(own_memory != nullptr),
      runner_(sms_, team_, dispatcher_, memory_, own_memory != nullptr) {
  const std::vector<int> partitions = partition_of_sms(params);
  const bool steps = tensor_core == TensorCoreModel::kSteps;
  for (int i = 0; i < params.sms; ++i) {
    sms_.push_back(std::make_unique<sm::StreamingMultiprocessor>(fmt::format("sm{}", i).c_str(), i,
                                                                 partitions[static_cast<std::size_t>(i)], params_.sm,
                                                                 steps ? std::optional(numerics_) : std::nullopt));
  }
  connect();
}

void MachineModules::connect() {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i]->l2_port().connect(memory_.crossbar());
    sms_[i]->on_wake = [this](int sm, sm::Cycle cycle) { team_.wake(sm, cycle); };
    sms_[i]->on_answer = [this](int sm) { team_.answered(sm); };
    sms_[i]->on_cta_end = [this](int sm, const CtaRecord& record) {
      records_.push_back(record);
      if (probe_ != nullptr) probe_->cta_end(record);
      if (sampler_ != nullptr) sampler_->ended(record);
      dispatcher_.slot_freed(sm);
    };
    sms_[i]->on_fault = [this](std::exception_ptr fault) { runner_.fail(std::move(fault)); };
  }
  dispatcher_.on_start = [this](int sm, std::uint64_t cta, std::uint64_t cycle) {
    if (probe_ != nullptr) probe_->cta_begin({cta, sm, cycle - context_.start_cycle, 0});
  };
}

const dependence::KernelUses* MachineModules::dependences_of(const Launch& launch) {
  dependences_.reset();
  if (!launch.options.check_dependences && launch.poison == nullptr) return nullptr;
  const auto latency = [this](const isa::MmaOp& op) {
    return tensor_core::mma_timing(op, params_.sm.tensor_core).latency;
  };
  return &dependences_.emplace(*launch.kernel, latency, issue_cycles(params_.sm.issue));
}

/// Nobody watches what memory and registers hold, and products are not computed.
const isa::UnusedData* MachineModules::unused_of(const Launch& launch) {
  unused_.reset();
  const bool watched = launch.options.check_dependences || launch.poison != nullptr || launch.unset_symbols != nullptr;
  if (launch.options.values == isa::Values::kFull || watched) return nullptr;
  unused_.emplace(*launch.kernel);
  return unused_->empty() ? nullptr : &*unused_;
}

bool MachineModules::computes_in_steps(const LaunchOptions& options) const {
  if (options.tensor_core != TensorCoreModel::kSteps) return false;
  if (tensor_core_ != TensorCoreModel::kSteps) {
    throw std::logic_error(fmt::format("GPU '{}' was not built with tensor cores that compute in steps", name()));
  }
  return options.values == isa::Values::kFull;
}

namespace {

/// Of a warp that asks an mbarrier (SYNCS) and is suspended.
sm::Cycle longest_wait(const isa::Kernel& kernel, const sm::SmParams& params) {
  const auto asks = [](const isa::Instruction& in) {
    return isa::traits_of(in.opcode).unit == isa::ExecutionUnit::kMbarrier;
  };
  const bool any = std::any_of(kernel.code.begin(), kernel.code.end(), asks);
  return any ? static_cast<sm::Cycle>(params.mbarrier.try_wait_cycles) : 0;
}

}  // namespace

void MachineModules::prepare(const Launch& launch, const Occupancy& fit) {
  sm::LaunchContext context;
  context.cluster = cluster_of(params_, *launch.kernel, launch.grid, launch.cluster, launch.non_portable_cluster, fit);
  infos_ = sm::classify(*launch.kernel, params_.sm);
  context.kernel = launch.kernel;
  context.infos = &infos_;
  context.dependences = dependences_of(launch);
  context.checked = launch.options.check_dependences ? dependence::Checked::kAll : dependence::Checked::kCopies;
  context.memory = launch.memory;
  context.heap = launch.heap;
  context.output = launch.output;
  context.numerics = &numerics_;
  context.values = launch.options.values;
  context.tensor_core_steps = computes_in_steps(launch.options);
  context.unused = unused_of(launch);
  context.grid = launch.grid;
  context.block = launch.block;
  context.shared_bytes_per_cta = launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes +
                                 static_cast<std::uint32_t>(params_.sm.occupancy.reserved_shared_bytes);
  const isa::LaunchFacts facts{static_cast<std::uint32_t>(params_.sms),
                               static_cast<std::uint32_t>(params_.sm.occupancy.reserved_shared_bytes),
                               launch.grid_workspace, launch.parameter_copy};
  context.constant0 = isa::launch_constants(*launch.kernel, facts, launch.grid, launch.block, launch.parameters,
                                            launch.dynamic_shared_bytes, context.cluster);
  context.ctas_per_sm = fit.ctas_per_sm;
  context.cta_launch_latency = params_.launch.cta_launch_latency;
  context.longest_wait = longest_wait(*launch.kernel, params_.sm);
  context.caches_emptied = launch.options.l2 == L2State::kCold;
  context.clock_mhz = params_.clock_mhz;
  context.poison = launch.poison;
  context.unset_symbols = launch.unset_symbols;
  probe_ = launch.probe;
  context.probe = probe_ != nullptr && !probe_->only_ctas() ? probe_ : nullptr;
  // Whole cycles only: the launch begins at the next one.
  context.start_cycle = (to_ticks(sc_core::sc_time_stamp()) + kTicksPerCycle - 1) / kTicksPerCycle;
  context_ = std::move(context);
}

void MachineModules::reset(const Launch& launch) {
  const memory::MemoryParams memory = memory::in_cycles_of(clock_ratio(params_, *launch.kernel), params_.memory);
  memory_.reset(context_.start_cycle, launch.options.l2 == L2State::kAsLeft, launch.memory, memory);
  if (launch.options.l2 == L2State::kWarm) memory_.warm_l2(*launch.memory);
  memory_.observe(context_.probe, context_.start_cycle);
  const bool alone = shares_more(launch);
  const sm::Cycle ahead =
      alone || own_memory_ || in_step_ ? 1 : furthest_ahead(params_.sm, memory, *launch.kernel, context_.unused);
  stored_.clear();
  context_.stored = ahead > 1 ? &stored_ : nullptr;
  team_.begin_launch(alone ? 1 : threads_, always_, ahead, launch.options.shuffle_seed);
  for (auto& sm : sms_) sm->begin_launch(&context_);
  records_.clear();
}

/// Whether SMs share more than global memory: clusters, functions of the driver, SystemC's signals, or who watches.
/// Then they run in step, on one thread.
bool MachineModules::shares_more(const Launch& launch) const {
  const bool watched = (context_.probe != nullptr && !context_.probe->takes_sms_apart()) || launch.poison != nullptr ||
                       launch.unset_symbols != nullptr;
  const auto& called = launch.kernel->externals;
  const bool calls = std::any_of(called.begin(), called.end(), [](const isa::ExternalFunction& external) {
    return external.function != isa::DriverFunction::kAssertFail;  // which only ends the launch
  });
  return watched || calls || context_.cluster || context_.tensor_core_steps;
}

RunStatistics MachineModules::run(const Launch& launch) {
  if (launch.options.sample && launch.options.values == isa::Values::kFull) return run_sampled_with_values(launch);
  const Occupancy fit = occupancy(params_, *launch.kernel, launch.block, launch.dynamic_shared_bytes);
  prepare(launch, fit);
  if (launch.options.sample) return run_sampled(launch, fit);
  reset(launch);
  runner_.run(launch, context_);
  RunStatistics statistics = collect(params_, fit, records_, sms_, memory_);
  statistics.threads = team_.threads();
  return statistics;
}

RunStatistics MachineModules::run_sampled(const Launch& launch, const Occupancy& fit) {
  if (own_memory_) throw SamplingRefused("device memory is the user's own");
  const int threads = shares_more(launch) ? 1 : threads_;
  Sampler sampler(launch, context_, sms_, partition_of_sms(params_), memory_, threads);
  Launch watched = launch;
  watched.options.watch = &sampler;
  context_.loop_watch = &sampler;
  if (sampler.loop()) context_.loop_branch = sampler.loop()->branch;
  // Whatever ends the launch, nobody is asked any more.
  const struct Attached {
    explicit Attached(MachineModules& of, Sampler& by) : machine(of) {
      machine.sampler_ = &by;
      machine.dispatcher_.leave_out = [&of, &by](std::uint64_t cta) {
        try {
          return by.leave_out(cta);
        } catch (...) {  // called by SystemC, which takes no exceptions
          of.runner_.fail(std::current_exception());
          return cta;
        }
      };
    }
    ~Attached() {
      machine.sampler_ = nullptr;
      machine.dispatcher_.leave_out = nullptr;
      machine.context_.loop_branch = ~std::uint32_t{0};
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;
    MachineModules& machine;
  } attached(*this, sampler);
  reset(watched);
  runner_.run(watched, context_);
  RunStatistics statistics = collect(params_, fit, records_, sms_, memory_);
  extrapolate(statistics, sampler, memory_.passed_over(), params_, launch.grid.count());
  if (statistics.sampling->error() > kMostSamplingError) {
    throw SamplingRefused(
        fmt::format("its waves are too unlike: cycles may be off by {:.1f} %, and {:.0f} % is the most",
                    100 * statistics.sampling->error(), 100 * kMostSamplingError));
  }
  count_elapsed(statistics, params_);
  statistics.energy = energy_of(statistics, params_);
  statistics.threads = team_.threads();
  return statistics;
}

RunStatistics MachineModules::run_sampled_with_values(const Launch& launch) {
  Launch addresses = launch;
  addresses.options.values = isa::Values::kAddresses;
  isa::GlobalMemory before = *launch.memory;  // what CTAs store that have no values is no result
  RunStatistics statistics = run(addresses);
  *launch.memory = std::move(before);

  /// Tells of the CTAs whose values are computed; cycles pass no more.
  struct : LaunchWatch {
    bool go_on(std::uint64_t, std::uint64_t ctas_ended) override { return outer->go_on(cycles, ctas_ended); }
    LaunchWatch* outer;
    std::uint64_t cycles;
  } watch;
  watch.outer = launch.options.watch;
  watch.cycles = statistics.sampling->cycles_simulated;
  Launch values = launch;
  if (watch.outer != nullptr) values.options.watch = &watch;
  run_for_values(params_, values, threads_);
  return statistics;
}

}  // namespace stc::gpu
