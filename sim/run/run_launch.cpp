// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "models/gpu/machine/machine.h"
#include "models/gpu/sampling/sampling_refused.h"
#include "models/isa/values/poison.h"
#include "models/isa/values/unset_symbols.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/launch/what_if.h"
#include "sim/run/build_kernel.h"
#include "sim/run/load_kernel.h"
#include "sim/run/spread_evenly.h"

namespace stc::sim {
namespace {

constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 32;

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw UserError(place.empty() ? what : place + ": " + what);
}

/// CTAs of a cooperative launch wait for each other, so none may have to wait for a place.
void require_resident(const ReadyLaunch& ready, const GpuConfig& gpu, const gpu::Occupancy& fit) {
  const std::uint64_t ctas = ready.prepared.grid.count();
  const std::optional<isa::Dim3> cluster = ready.prepared.cluster ? ready.prepared.cluster : ready.kernel.cluster;
  const std::uint64_t together = cluster ? cluster->count() : 1;
  const std::uint64_t most = together * gpu::resident_clusters(gpu.params, together, fit);
  if (ctas <= most) return;
  refuse(ready.prepared.places.grid,
         fmt::format("{}: a cooperative launch needs all of its {} CTAs at once, but {} holds {}, {} on each of {} SMs",
                     ready.title, ctas, gpu.params.name, most, fit.ctas_per_sm, gpu.params.sms));
}

bool calls(const isa::Kernel& kernel, isa::DriverFunction function) {
  return std::any_of(kernel.externals.begin(), kernel.externals.end(),
                     [&](const isa::ExternalFunction& external) { return external.function == function; });
}

/// Hands on what was printed when it goes.
class PrintedAtEnd {
 public:
  explicit PrintedAtEnd(std::FILE* to) : to_(to) {}
  PrintedAtEnd(const PrintedAtEnd&) = delete;
  PrintedAtEnd& operator=(const PrintedAtEnd&) = delete;
  ~PrintedAtEnd() {
    const std::string text = output.text();
    std::fwrite(text.data(), 1, text.size(), to_);
    std::fflush(to_);
  }
  isa::DeviceOutput output;

 private:
  std::FILE* to_;
};

const std::string& place_of(gpu::LaunchError::Cause cause, const LaunchPlaces& places) {
  switch (cause) {
    case gpu::LaunchError::Cause::kSharedMemory: return places.shared;
    case gpu::LaunchError::Cause::kCluster: return places.cluster;
    case gpu::LaunchError::Cause::kGrid: return places.grid;
    case gpu::LaunchError::Cause::kBlock:
    case gpu::LaunchError::Cause::kCta: break;
  }
  return places.block;
}

void require_fit(const ReadyLaunch& ready, const GpuConfig& gpu) {
  const PreparedLaunch& launch = ready.prepared;
  const LaunchPlaces& places = launch.places;
  try {
    const gpu::Occupancy fit = gpu::occupancy(gpu.params, ready.kernel, launch.block, launch.dynamic_shared_bytes);
    gpu::cluster_of(gpu.params, ready.kernel, launch.grid, launch.cluster, launch.non_portable_cluster, fit);
    if (launch.cooperative) require_resident(ready, gpu, fit);
  } catch (const gpu::LaunchError& error) {
    refuse(place_of(error.cause, places),
           fmt::format("{} cannot be launched on {}: {}", ready.title, gpu.params.name, error.what()));
  }
  if (launch.grid.y > 65535 || launch.grid.z > 65535) {
    refuse(places.grid, fmt::format("{}: grid is {} x {} x {}, but y and z may be at most 65535", ready.title,
                                    launch.grid.x, launch.grid.y, launch.grid.z));
  }
  if (launch.grid.count() > kMostCtas) {
    refuse(places.grid,
           fmt::format("{}: the grid has {} CTAs, more than {}", ready.title, launch.grid.count(), kMostCtas));
  }
}

/// A buffer of a variable's name would be taken for the variable.
void require_own_names(const ReadyLaunch& ready) {
  for (const PreparedBuffer& buffer : ready.prepared.buffers) {
    for (const isa::ModuleVariable& variable : ready.kernel.variables) {
      if (buffer.address || variable.name != buffer.name) continue;  // at an address of its own it is the variable
      throw UserError(fmt::format("{}: buffer '{}' has the name of a variable of the module; 'symbols' sets that",
                                  ready.prepared.module, buffer.name));
    }
  }
}

/// Sets the variables that the run file names and watches those that nobody gives a value.
isa::UnsetSymbols set_symbols(ReadyLaunch& ready, isa::GlobalMemory& memory) {
  isa::UnsetSymbols unset;
  for (const SymbolValue& symbol : ready.symbols) isa::set_variable(ready.kernel, memory, symbol.name, symbol.data);
  for (const isa::ModuleVariable& variable : ready.kernel.variables) {
    const auto is_it = [&](const auto& given) { return given.name == variable.name; };
    const std::vector<PreparedBuffer>& buffers = ready.prepared.buffers;
    if (!variable.starts_as_zero() || std::any_of(ready.symbols.begin(), ready.symbols.end(), is_it) ||
        std::any_of(buffers.begin(), buffers.end(), is_it)) {
      continue;
    }
    const std::string name = source_name(variable.name);
    if (!variable.constant_offset) {
      unset.watch_global(name, memory.find(variable.name)->address, variable.bytes);
      continue;
    }
    unset.watch_constant(name, *variable.constant_offset, variable.bytes);
    if (ready.kernel.points_to_constants) {
      unset.watch_global(name, ready.kernel.constants_address + *variable.constant_offset, variable.bytes);
    }
  }
  return unset;
}

/// Those whose address is given first: they leave the others no choice, the others leave them none.
void place_buffers(std::vector<PreparedBuffer>& buffers, isa::GlobalMemory& memory) {
  for (PreparedBuffer& buffer : buffers) {
    if (!buffer.address) continue;
    try {
      memory.allocate_at(*buffer.address, buffer.name, std::move(buffer.data), buffer.role);
    } catch (const std::invalid_argument& error) {
      refuse(buffer.address_place, error.what());
    }
  }
  for (PreparedBuffer& buffer : buffers) {
    if (buffer.address) continue;
    memory.allocate(buffer.name, std::move(buffer.data), buffer.role);
  }
}

/// Once all have their places: addresses of buffers that buffers hold.
void write_pointers(const std::vector<PreparedBuffer>& buffers, isa::GlobalMemory& memory) {
  for (const PreparedBuffer& buffer : buffers) {
    for (const HeldPointer& held : buffer.pointers) {
      const std::uint64_t address = memory.find(held.buffer)->address + held.offset;
      std::memcpy(memory.find(buffer.name)->data.data() + held.at, &address, sizeof address);
    }
  }
}

/// Shows on the terminal how far a launch has come, and ends it when a signal asks to.
class TerminalWatch : public gpu::LaunchWatch {
 public:
  TerminalWatch(const ReadyLaunch& ready, std::uint64_t ctas) {
    progress_.step = ready.step;
    progress_.title = ready.title;
    progress_.unit = "CTAs";
    progress_.all = ctas;
  }
  bool go_on(std::uint64_t cycles, std::uint64_t ctas_ended) override {
    progress_.done = ctas_ended;
    progress_.fraction = static_cast<double>(ctas_ended) / static_cast<double>(progress_.all);
    progress_.cycles = cycles;
    line_.update(progress_);
    return stop_signal() == 0;
  }
  std::string reached() const {
    return fmt::format("{}{} has run for {} cycles; {} of {} CTAs have ended",
                       progress_.step.empty() ? "" : progress_.step + ", ", progress_.title, grouped(*progress_.cycles),
                       progress_.done, progress_.all);
  }

 private:
  Progress progress_;
  ProgressLine line_;
};

gpu::RunStatistics run_watched(const ReadyLaunch& ready, gpu::Machine& machine, gpu::Launch& launch) {
  TerminalWatch watch(ready, launch.grid.count());
  launch.options.watch = &watch;
  try {
    return machine.run(launch);
  } catch (const gpu::LaunchStopped&) {
    throw Interrupted(stop_signal(), watch.reached());
  } catch (const gpu::SamplingRefused& refused) {
    throw UserError(
        fmt::format("{} cannot be sampled: {}. 'sampling: off' simulates all of it", ready.title, refused.what()));
  }
}

}  // namespace

ReadyLaunch make_ready(PreparedLaunch prepared, const GpuConfig& gpu, std::string title) {
  ReadyLaunch ready;
  ready.prepared = std::move(prepared);
  if (ready.prepared.built) {
    ready.kernel = build_kernel(*ready.prepared.built, gpu.params);
    ready.kernel_hash = hash_of(ready.kernel);
  } else {
    const std::vector<std::uint8_t> cubin = read_bytes(ready.prepared.module);
    ready.kernel = load_kernel(cubin, ready.prepared.module, ready.prepared.kernel, ready.prepared.places.kernel);
    ready.kernel_hash = content_hash(cubin.data(), cubin.size());
    if (ready.prepared.as_pattern) take_for_pattern(ready.kernel, *ready.prepared.as_pattern);
  }
  ready.title = title.empty() ? ready.kernel.name : std::move(title);
  if (ready.kernel.sm_version != gpu.params.sm_version) {
    refuse(ready.prepared.places.module,
           fmt::format("{}: is compiled for sm_{}, but {} runs sm_{}", ready.prepared.module, ready.kernel.sm_version,
                       gpu.params.name, gpu.params.sm_version));
  }
  pack_arguments(
      ready.prepared.arguments, ready.kernel.parameters, ready.title, [](const std::string&) { return 0; },
      ready.prepared.places.args);
  ready.prepared.grid = grid_on(ready.prepared, gpu.params.sms);
  require_fit(ready, gpu);
  require_own_names(ready);
  ready.symbols = resolve_symbols(ready.prepared.symbols, ready.kernel.variables, ready.prepared.module);
  return ready;
}

LaunchResult run_launch(ReadyLaunch& ready, gpu::Machine& machine, const RunOptions& options, isa::GlobalMemory& memory,
                        std::FILE* printed, std::optional<gpu::L2State> l2, std::optional<isa::DeviceHeap>* heap) {
  LaunchResult result;
  ready.kernel.stack_bytes = static_cast<std::uint32_t>(options.stack_bytes);
  place_buffers(ready.prepared.buffers, memory);
  write_pointers(ready.prepared.buffers, memory);
  isa::place_variables(ready.kernel, memory);
  isa::UnsetSymbols unset = set_symbols(ready, memory);
  isa::Poison poison;
  gpu::Launch launch;
  launch.kernel = &ready.kernel;
  launch.grid = ready.prepared.grid;
  launch.block = ready.prepared.block;
  launch.dynamic_shared_bytes = ready.prepared.dynamic_shared_bytes;
  launch.cluster = ready.prepared.cluster;
  launch.non_portable_cluster = ready.prepared.non_portable_cluster;
  launch.parameters = pack_arguments(ready.prepared.arguments, ready.kernel.parameters, ready.title,
                                     [&](const std::string& name) { return memory.find(name)->address; });
  launch.parameter_copy = isa::copy_parameters(ready.kernel, memory, launch.parameters);
  launch.memory = &memory;
  launch.probe = ready.probe;
  if (ready.prepared.cooperative) launch.grid_workspace = isa::place_grid_workspace(memory);
  std::optional<isa::DeviceHeap> own_heap;
  if (heap == nullptr) heap = &own_heap;
  if (calls(ready.kernel, isa::DriverFunction::kMalloc) && !*heap) heap->emplace(memory, options.malloc_heap_bytes);
  launch.heap = *heap ? &**heap : nullptr;
  launch.options.values = options.full_values ? isa::Values::kFull : isa::Values::kAddresses;
  launch.options.l2 = l2.value_or(options.warm_l2 ? gpu::L2State::kWarm : gpu::L2State::kCold);
  launch.options.tensor_core = tensor_core_of(options);
  launch.options.sample = options.sampling;
  launch.options.check_dependences = options.check_dependences;
  launch.options.shuffle_seed = options.shuffle_seed;
  launch.options.max_cycles = options.max_cycles;
  launch.options.idle_cycles = options.idle_cycles;
  launch.poison = options.poison ? &poison : nullptr;
  launch.unset_symbols = unset.empty() ? nullptr : &unset;
  PrintedAtEnd print(printed);
  launch.output = &print.output;

  const auto start = std::chrono::steady_clock::now();
  result.run = run_watched(ready, machine, launch);
  if (lifts_tail(options)) spread_evenly(result.run, machine.params());
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  result.name = ready.title;
  result.module = ready.prepared.module;
  result.kernel_hash = ready.kernel_hash;
  result.registers = ready.kernel.registers;
  result.grid = launch.grid;
  result.block = launch.block;
  result.cluster = launch.cluster ? launch.cluster : ready.kernel.cluster;
  result.static_shared_bytes = ready.kernel.static_shared_bytes;
  result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  result.bound = find_bound(machine.params(), result.run);
  result.unset_symbols = unset.read();
  if (options.poison) result.unwritten_reads = poison.first_reads();
  for (const isa::Allocation& buffer : memory.allocations()) {
    result.buffers.push_back({buffer.name, buffer.role, buffer.bytes,
                              options.full_values ? content_hash(buffer.data.data(), buffer.data.size()) : ""});
  }
  return result;
}

}  // namespace stc::sim
