// SPDX-License-Identifier: Apache-2.0
// Options of a run: a member here and a row in run_options.cpp each. Reading, provenance, `stcsim run --help` and the
// manual's table (configs/workloads/README.md, compared by a test) are made from the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/driver/device_heap.h"
#include "models/isa/state/address_space.h"
#include "sim/config/config_node.h"

namespace stc::sim {

struct RunOptions {
  bool full_values = true;  ///< values: full; else addresses
  bool warm_l2 = false;
  bool check = false;  ///< compare D with a reference (kernels of the library only)
  bool compare_dense = false;
  bool tensor_steps = false;  ///< tensor_core: steps
  bool check_dependences = false;
  bool sampling = false;  ///< sampling: auto
  bool poison = false;    ///< registers, shared and local memory start with a pattern; reads of it are reported
  std::uint64_t malloc_heap_bytes = isa::DeviceHeap::kDefaultBytes;
  std::uint64_t stack_bytes = isa::kDefaultStackBytes;
  std::uint64_t idle_cycles = 10'000'000;
  std::uint64_t max_cycles = 0;
  std::vector<std::string> ideal;  ///< limits that are lifted (sim/config/ideal_limits.h)
  std::uint32_t shuffle_seed = 0;  ///< for tests alone, no key; see gpu::LaunchOptions
};

struct RunOption {
  const char* key;
  std::string values;   ///< what is allowed, the default marked
  const char* meaning;  ///< one sentence, without a full stop
  bool library_only;    ///< set to other than its default, it needs a workload of the library ...
  bool needs_values;    ///< ... and 'values: full'
  std::function<void(const ConfigNode&, RunOptions&)> read;
  std::function<std::string(const RunOptions&)> text;  ///< of the value, as the run file would have it
};
const std::vector<RunOption>& run_options();

/// Reads the map `options` of a run file; UserError with file and place when a value is not allowed.
RunOptions read_run_options(const ConfigNode& node, bool of_library);

/// Key and value of each option, in the order of the rows.
std::vector<std::pair<std::string, std::string>> texts_of(const RunOptions& options);

}  // namespace stc::sim
