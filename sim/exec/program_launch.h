// SPDX-License-Identifier: Apache-2.0
// One launch of a program on the simulated GPU, from the runtime's arguments to its error code.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/isa/driver/device_heap.h"
#include "sim/config/gpu_config.h"
#include "sim/exec/launch_log.h"
#include "sim/exec/program_module.h"
#include "sim/exec/program_profile.h"
#include "sim/remote/requests.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// A launch, or another request, that fails as it would on the GPU.
struct RequestError : std::runtime_error {
  RequestError(int code, const std::string& text) : std::runtime_error(text), error(code) {}
  int error;
};

struct ProgramFunction {
  ProgramModule* module = nullptr;
  std::string symbol;
  std::uint64_t dynamic_limit = 0;  ///< bytes of dynamic shared memory that a launch may ask for
  bool non_portable_cluster = false;
};

/// How launches of `stcsim exec` are made.
struct ExecSettings {
  std::set<std::uint64_t> timed;  ///< numbers of the launches to time; empty: all
  bool cold = false;              ///< caches are emptied before each launch
  std::string capture;            ///< folder for timed launches as run files; empty: none
  bool is_timed(std::uint64_t number) const { return timed.empty() || timed.count(number) != 0; }
};

/// What the launches of a process have in common.
struct ProgramState {
  ProgramMemory memory;
  std::optional<isa::DeviceHeap> heap;
  std::uint64_t heap_bytes = isa::DeviceHeap::kDefaultBytes;
  std::uint32_t stack_bytes = isa::kDefaultStackBytes;
};

/// Throws RequestError where the runtime would refuse the launch before it begins.
void require_launchable(const GpuConfig& gpu, const ProgramFunction& function, const isa::Kernel& kernel,
                        const remote::LaunchShape& shape);

/// Runs it, in its time or for its values alone; then `l2` has no meaning. `printed` gets what its threads print, with
/// a fault, too. `go_on` is asked now and then whether to go on; where it says no, gpu::LaunchStopped is thrown.
/// RequestError when the launch fails; its text says why. Memory is whole again in every case. `profile` sees launches
/// that are timed; null: nobody does.
LaunchResult run_program_launch(gpu::Machine& machine, ProgramState& state, const ProgramFunction& function,
                                const remote::LaunchShape& shape, const std::vector<std::uint8_t>& parameters,
                                bool timed, gpu::L2State l2, const std::function<bool()>& go_on, std::string& printed,
                                ProgramProfile* profile);

}  // namespace stc::sim
