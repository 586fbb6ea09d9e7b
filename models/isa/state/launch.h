// SPDX-License-Identifier: Apache-2.0
// What a kernel finds when it begins: a warp's registers, the module's variables, constant bank 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

/// Prepares a warp at the kernel's entry: pc 0, live lanes from the block's thread count, registers zero.
void start_warp(WarpState& warp, const Kernel& kernel, CtaState& cta, int index_in_cta);

/// Gives the module's variables in global memory a place in `memory`, where they are not there yet, and writes
/// their addresses wherever code, constants and other variables hold them. To be called once before the kernel's first
/// launch.
void place_variables(Kernel& kernel, GlobalMemory& memory);
/// Sets a variable of the module, by its symbol, once the variables are placed; `data` has as many bytes as it.
void set_variable(Kernel& kernel, GlobalMemory& memory, const std::string& name, const std::vector<std::uint8_t>& data);

/// What the driver tells a kernel besides the launch's own numbers.
struct LaunchFacts {
  std::uint32_t sms = 0;                    ///< of the GPU
  std::uint32_t reserved_shared_bytes = 0;  ///< of a CTA, for the system
  std::uint64_t grid_workspace = 0;         ///< where CTAs of a cooperative launch meet (place_grid_workspace); else 0
  std::uint64_t parameters = 0;             ///< copy_parameters; 0: the kernel takes no addresses of its parameters
};

/// c[0] of a launch: dimensions, parameters (`parameter_bytes` starts at kernel.parameter_base), stack pointer.
/// `cluster`: CTAs per cluster, where the launch has clusters.
std::vector<std::uint8_t> launch_constants(const Kernel& kernel, const LaunchFacts& facts, Dim3 grid, Dim3 block,
                                           const std::vector<std::uint8_t>& parameter_bytes,
                                           std::uint32_t dynamic_shared_bytes = 0,
                                           const std::optional<Dim3>& cluster = std::nullopt);

/// Where in global memory the kernel finds its parameters, if it takes addresses of them; otherwise 0.
std::uint64_t copy_parameters(const Kernel& kernel, GlobalMemory& memory, const std::vector<std::uint8_t>& bytes);

/// Allocates what cooperative_groups::this_grid() finds its barrier in.
std::uint64_t place_grid_workspace(GlobalMemory& memory);

}  // namespace stc::isa
