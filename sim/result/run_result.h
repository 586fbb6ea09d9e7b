// SPDX-License-Identifier: Apache-2.0
// Everything that one `stcsim run` found out, before it becomes a table or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "models/isa/state/kernel.h"
#include "models/isa/values/poison.h"
#include "sim/launch/expectation.h"
#include "sim/launch/gemm_check.h"
#include "sim/launch/gemm_workload.h"
#include "sim/result/bound.h"
#include "sim/result/waterfall.h"

namespace stc::sim {

struct BufferResult {
  std::string name;
  DataRole role = DataRole::kOther;
  std::uint64_t bytes = 0;
  std::string hash;  ///< of the contents after the run
};

/// Times of a launch on a real GPU.
struct Measurement {
  double median_us = 0, least_us = 0, greatest_us = 0;
  int runs = 0;
  bool warm_l2 = false;
};

/// What one launch cost.
struct LaunchResult {
  std::string name;         ///< of the library kernel, or the symbol
  std::string module;       ///< path of the cubin
  std::string kernel_hash;  ///< of the cubin's bytes
  int registers = 0;        ///< per thread
  isa::Dim3 grid, block;
  std::optional<isa::Dim3> cluster;  ///< CTAs per cluster, where the launch has clusters
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<BufferResult> buffers;
  std::vector<std::string> unset_symbols;  ///< variables that the kernel read as zero because nobody set them
  std::optional<std::vector<isa::UnwrittenRead>> unwritten_reads;  ///< under 'poison'
  gpu::RunStatistics run;                                          ///< without meaning where `measured` is set
  std::optional<Measurement> measured;                             ///< on a real GPU
  Bound bound;
  double wall_s = 0;
  std::optional<GemmProblem> gemm;
  std::optional<GemmCheck> check;

  double time_us() const;
  double tflops() const;                            ///< dense-equivalent, 2mnk / time; 0 without a GEMM
  std::uint64_t buffer_bytes(DataRole role) const;  ///< sizes of the buffers of this role
};

/// What a kernel of the library would take, by short runs.
struct KernelEstimate {
  std::string kernel;
  double cycles = 0;
};

/// How fast the simulator itself was, over all launches of a run.
struct SimulationSpeed {
  double wall_s = 0;
  double cycles_per_s = 0;     ///< of the GPU
  double sm_cycles_per_s = 0;  ///< the same times the number of SMs
  double warp_instructions_per_s = 0;
  int threads = 1;  ///< that ran SMs side by side, at most
};

struct RunResult {
  enum class Source : std::uint8_t { kSimulator, kGpu };
  Source source = Source::kSimulator;
  std::string cuda_driver, date;  ///< of a measurement
  std::string run_file;
  std::string gpu_file;
  gpu::GpuParams gpu;
  std::string config_hash;
  std::vector<std::pair<std::string, std::string>> options;  ///< in the order of the run file's documentation
  std::vector<LaunchResult> before;                          ///< launches of a sequence that came first
  LaunchResult launch;
  std::vector<ExpectationResult> expectations;
  std::optional<LaunchResult> dense;      ///< the dense twin, when asked for; with `candidates`, the best dense kernel
  std::optional<LaunchResult> same_tile;  ///< the dense twin when that is another kernel than `dense`
  /// Kernels that were tried for 'kernel: best', the fastest first; empty when the run file names one.
  std::vector<KernelEstimate> candidates, dense_candidates;
  std::optional<Waterfall> waterfall;  ///< with --why
  double peak_mib = 0;                 ///< largest memory of this process

  bool checks_passed() const;
  SimulationSpeed speed() const;
};

/// Time of all tensor cores of the GPU in which they are busy.
double tensor_busy_fraction(const gpu::RunStatistics& run, const gpu::GpuParams& gpu);

/// Sum of a level's bytes in one direction, all roles.
std::uint64_t total_bytes(const std::array<std::uint64_t, kDataRoles>& bytes);

/// A level of the memory hierarchy by its key in the result.
struct Level {
  const char* key;
  const char* title;
  const LevelBytes* bytes;
};
std::array<Level, 4> levels_of(const gpu::RunStatistics& run);

}  // namespace stc::sim
