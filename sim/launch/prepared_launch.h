// SPDX-License-Identifier: Apache-2.0
// A launch with everything decided: what simulator and GPU runner have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "sim/launch/arguments.h"
#include "sim/launch/run_file.h"

namespace stc::sim {

struct PreparedBuffer {
  std::string name;
  DataRole role = DataRole::kOther;
  isa::BufferBytes data;                   ///< contents before the launch
  std::optional<std::uint64_t> address;    ///< none: wherever there is room
  std::string address_place;               ///< in the run file, for messages
  std::vector<HeldPointer> pointers = {};  ///< addresses of buffers, written over `data` once they are known
};

struct PreparedLaunch {
  std::string module;                   ///< path of the cubin
  std::optional<gemm::GemmSpec> built;  ///< in place of a cubin
  std::string kernel;                   ///< symbol; empty: the only kernel of the module
  isa::Dim3 grid;
  isa::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::optional<isa::Dim3> cluster;
  /// Of a kernel whose CTAs take work until none is left: CTAs of a cluster. The grid is then at most a CTA an SM.
  std::uint32_t persistent = 0;
  bool non_portable_cluster = false;
  std::optional<sparsity::Pattern> as_pattern;  ///< its sparse matrix instructions are taken for those of this one
  std::vector<PreparedBuffer> buffers;
  std::vector<SymbolPlan> symbols;  ///< variables of the module to set
  std::vector<Argument> arguments;
  LaunchPlaces places;
};

/// The grid on a GPU of so many SMs.
isa::Dim3 grid_on(const PreparedLaunch& launch, int sms);

/// Low-level form: makes and fills the buffers.
PreparedLaunch prepare_launch(const LaunchPlan& plan);

/// Memory that a process here can have: that of the computer, or what a container leaves of it. Bytes.
double host_memory();

/// UserError when buffers of this size do not fit into the host's memory. A real number: sums and products of sizes
/// that a user gives may exceed 64 bits.
void require_host_memory(double bytes, const std::string& what);

/// The same for runs of these sizes, `jobs` of them at once, when the largest ones meet.
void require_host_memory_at_once(std::vector<double> sizes, int jobs);

}  // namespace stc::sim
