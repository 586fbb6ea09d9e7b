// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "models/gpu/machine/machine.h"
#include "models/gpu/value_run.h"
#include "models/isa/text/kernel_name.h"
#include "models/isa/values/execute.h"
#include "sim/result/bound.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

constexpr std::uint32_t kMostGridX = 0x7fffffff, kMostGridYz = 65535;

isa::Dim3 size_of(const remote::Size3& size) { return {size.x, size.y, size.z}; }
bool is_set(const remote::Size3& size) { return size.x != 0 || size.y != 0 || size.z != 0; }

std::optional<isa::Dim3> cluster_asked(const remote::LaunchShape& shape) {
  return is_set(shape.cluster) ? std::optional(size_of(shape.cluster)) : std::nullopt;
}

int error_of(gpu::LaunchError::Cause cause) {
  using Cause = gpu::LaunchError::Cause;
  switch (cause) {
    case Cause::kSharedMemory: return remote::kInvalidValue;
    case Cause::kCta: return remote::kOutOfResources;
    case Cause::kCluster: return remote::kInvalidClusterSize;
    case Cause::kBlock:
    case Cause::kGrid: break;
  }
  return remote::kInvalidConfiguration;
}

/// What the hardware would report for a fault that the simulator found.
int error_of_fault(const std::string& text) {
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (says("is not modelled")) return remote::kNotSupported;
  if (says("assertion")) return remote::kAssert;
  if (says("illegal instruction")) return remote::kIllegalInstruction;
  if (says("misaligned")) return remote::kMisalignedAddress;
  if (says("out-of-bounds") || says("where nothing is")) return remote::kIllegalAddress;
  return remote::kLaunchFailure;
}

class AskingWatch : public gpu::LaunchWatch {
 public:
  explicit AskingWatch(const std::function<bool()>& go_on) : go_on_(go_on) {}
  bool go_on(std::uint64_t, std::uint64_t) override { return go_on_(); }

 private:
  const std::function<bool()>& go_on_;
};

/// The memory of a program while a kernel has it.
class LentMemory {
 public:
  LentMemory(ProgramMemory& home, ProgramModule& module)
      : home_(home), module_(module), memory(home.lend(module.number())) {}
  ~LentMemory() {
    if (kernel) {
      module_.take_back(*kernel, home_, memory);
    } else {
      home_.take_back(memory, module_.number(), {}, {});
    }
  }
  LentMemory(const LentMemory&) = delete;
  LentMemory& operator=(const LentMemory&) = delete;

 private:
  ProgramMemory& home_;
  ProgramModule& module_;

 public:
  isa::GlobalMemory memory;
  std::optional<isa::Kernel> kernel;  ///< once its variables are placed
};

/// What the kernel's threads print, with a fault, too.
struct KeptOutput {
  ~KeptOutput() { to = output.text(); }
  std::string& to;
  isa::DeviceOutput output = {};
};

bool calls_malloc(const isa::Kernel& kernel) {
  const auto is_it = [](const isa::ExternalFunction& f) { return f.function == isa::DriverFunction::kMalloc; };
  return std::any_of(kernel.externals.begin(), kernel.externals.end(), is_it);
}

}  // namespace

void require_launchable(const GpuConfig& gpu, const ProgramFunction& function, const isa::Kernel& kernel,
                        const remote::LaunchShape& shape) {
  const sm::OccupancyParams& limits = gpu.params.sm.occupancy;
  const isa::Dim3 grid = size_of(shape.grid), block = size_of(shape.block);
  const bool grid_fits = grid.count() != 0 && grid.x <= kMostGridX && grid.y <= kMostGridYz && grid.z <= kMostGridYz;
  if (!grid_fits) {
    throw RequestError(remote::kInvalidConfiguration,
                       fmt::format("a grid of {} x {} x {} CTAs", grid.x, grid.y, grid.z));
  }
  if (block.count() > kernel.max_threads && block.count() <= static_cast<std::uint64_t>(limits.max_threads_per_cta)) {
    throw RequestError(remote::kInvalidValue, fmt::format("a block of {} threads; the kernel allows at most {}",
                                                          block.count(), kernel.max_threads));
  }
  if (shape.dynamic_shared_bytes > function.dynamic_limit) {
    throw RequestError(remote::kInvalidValue,
                       fmt::format("{} bytes of dynamic shared memory; at most {} are allowed before "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize is set to more",
                                   shape.dynamic_shared_bytes, function.dynamic_limit));
  }
  try {
    const auto dynamic = static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
    const gpu::Occupancy fit = gpu::occupancy(gpu.params, kernel, block, dynamic);
    gpu::cluster_of(gpu.params, kernel, grid, cluster_asked(shape), function.non_portable_cluster, fit);
    const auto room = static_cast<std::uint64_t>(fit.ctas_per_sm) * static_cast<std::uint64_t>(gpu.params.sms);
    if (shape.cooperative != 0 && grid.count() > room) {
      throw RequestError(remote::kCooperativeTooLarge,
                         fmt::format("a cooperative launch of {} CTAs; the GPU holds {}", grid.count(), room));
    }
  } catch (const gpu::LaunchError& error) {
    throw RequestError(error_of(error.cause), error.what());
  }
}

LaunchResult run_program_launch(gpu::Machine& machine, ProgramState& state, const ProgramFunction& function,
                                const remote::LaunchShape& shape, const std::vector<std::uint8_t>& parameters,
                                bool timed, gpu::L2State l2, const std::function<bool()>& go_on, std::string& printed,
                                ProgramProfile* profile) {
  LaunchResult result;
  result.name = function.symbol;
  result.kernel_hash = function.module->hash();
  LentMemory lent(state.memory, *function.module);
  AskingWatch watch(go_on);
  KeptOutput kept{printed};
  gpu::Launch launch;
  try {
    lent.kernel = function.module->placed(function.symbol, lent.memory);
    isa::Kernel& kernel = *lent.kernel;
    kernel.stack_bytes = state.stack_bytes;
    if (calls_malloc(kernel) && !state.heap) state.heap.emplace(lent.memory, state.heap_bytes);
    launch.kernel = &kernel;
    launch.grid = size_of(shape.grid);
    launch.block = size_of(shape.block);
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
    launch.cluster = cluster_asked(shape);
    launch.non_portable_cluster = function.non_portable_cluster;
    launch.parameters = parameters;
    launch.parameter_copy = isa::copy_parameters(kernel, lent.memory, parameters);
    if (shape.cooperative != 0) launch.grid_workspace = isa::place_grid_workspace(lent.memory);
    launch.memory = &lent.memory;
    launch.heap = state.heap ? &*state.heap : nullptr;
    launch.output = &kept.output;
    launch.options.l2 = l2;
    launch.options.watch = &watch;
    const auto start = std::chrono::steady_clock::now();
    if (timed) {
      if (profile != nullptr) launch.probe = profile->begin(*function.module, kernel);
      result.run = machine.run(launch);
      if (profile != nullptr) profile->end(result.run.cycles, machine.params());
    } else {
      gpu::run_for_values(machine.params(), launch, machine.threads());
    }
    result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.registers = kernel.registers;
    result.static_shared_bytes = kernel.static_shared_bytes;
    result.cluster = launch.cluster ? launch.cluster : kernel.cluster;
  } catch (const isa::SimulatedFault& fault) {
    throw RequestError(error_of_fault(fault.what()), fault.what());
  } catch (const gpu::Deadlock& deadlock) {
    throw RequestError(remote::kTimeout, deadlock.what());
  } catch (const cubin::CubinError& error) {
    throw RequestError(remote::kNotSupported, error.what());
  }
  result.grid = launch.grid;
  result.block = launch.block;
  result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  if (timed) result.bound = find_bound(machine.params(), result.run);
  return result;
}

}  // namespace stc::sim
