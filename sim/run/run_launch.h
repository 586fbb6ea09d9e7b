// SPDX-License-Identifier: Apache-2.0
// Runs one prepared launch on the simulated machine.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/gpu/gpu.h"
#include "models/isa/driver/device_heap.h"
#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/prepared_launch.h"
#include "sim/result/run_result.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// A launch whose kernel was found and whose demands the GPU can meet: what can be known before time passes.
struct ReadyLaunch {
  PreparedLaunch prepared;
  isa::Kernel kernel;
  std::string title;  ///< for people: library name or symbol
  std::string kernel_hash;
  std::vector<SymbolValue> symbols;  ///< variables of the module that the run file sets
  Probe* probe = nullptr;            ///< sees what happens when it runs; none: nobody does
  std::string step;                  ///< what it is to the whole, before its progress: "launch 2/3"
};

/// Loads the cubin; checks kernel name, argument count and sizes, block and shared memory. UserError when not possible.
ReadyLaunch make_ready(PreparedLaunch prepared, const GpuConfig& gpu, std::string title = "");

/// The model of the tensor core that the machine of these runs is to be built for.
inline gpu::TensorCoreModel tensor_core_of(const RunOptions& options) {
  return options.tensor_steps ? gpu::TensorCoreModel::kSteps : gpu::TensorCoreModel::kSchedule;
}

/// Simulates on `machine`, whose GPU `ready` was made for. Afterwards `memory` holds all buffers. The prepared buffers
/// are moved from; `memory` may hold others, of launches before. What the kernel's threads have printed goes to
/// `printed` when the run ends, with a fault, too. `l2`: what L2 holds when it begins; none: what the options say.
/// `heap`: that of the launches before, or where it is to be made; none: one of its own.
/// Shows its progress on a terminal; Interrupted says how far it came when a signal asked to stop.
LaunchResult run_launch(ReadyLaunch& ready, gpu::Machine& machine, const RunOptions& options, isa::GlobalMemory& memory,
                        std::FILE* printed = stdout, std::optional<gpu::L2State> l2 = std::nullopt,
                        std::optional<isa::DeviceHeap>* heap = nullptr);

}  // namespace stc::sim
