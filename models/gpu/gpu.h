// SPDX-License-Identifier: Apache-2.0
// Models:   a whole GPU: SM array, CTA dispatch, L2, HBM. One kernel launch.
// Evidence: configs/gpus/*.yaml.
// Abstracts: TLBs; one kernel at a time.
// Timing:   cycle-level; see models/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/probe.h"
#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "models/isa/values/execute.h"

namespace stc::gpu {

/// What L2 holds when the launch begins. Warm: all buffers were touched in their order; as left: by the launch before.
enum class L2State : std::uint8_t { kCold, kWarm, kAsLeft };
/// Which model of the tensor core computes and times matrix instructions; both give the same bits and cycles.
enum class TensorCoreModel : std::uint8_t { kSchedule, kSteps };

/// Looks at a launch every few hundred cycles.
class LaunchWatch {
 public:
  virtual ~LaunchWatch() = default;
  /// `cycles` after the launch began, `ctas_ended` of its CTAs have ended. False: the launch ends here, and
  /// Machine::run() throws LaunchStopped.
  virtual bool go_on(std::uint64_t cycles, std::uint64_t ctas_ended) = 0;
};

struct LaunchOptions {
  isa::Values values = isa::Values::kFull;
  L2State l2 = L2State::kCold;
  TensorCoreModel tensor_core = TensorCoreModel::kSchedule;
  bool check_dependences = false;  ///< a dependence that control codes do not keep is a fault (models/dependence)
  std::uint32_t shuffle_seed = 0;  ///< not 0: another order of the SMs within a cycle; results must not depend on it
  std::uint64_t max_cycles = 0;    ///< 0: no limit; else exceeding it is an error (deadlock guard for tests)
  /// A run that goes round for ever (models/sm/progress_watch.h) is an error after so long; 0: never.
  std::uint64_t idle_cycles = 10'000'000;
  /// Leave out what repeats (models/gpu/sampling); SamplingRefused if it does not. Values are then those of
  /// run_for_values(), behind the sampled run.
  bool sample = false;
  LaunchWatch* watch = nullptr;  ///< none: nobody looks; results are the same
};

struct Launch {
  const isa::Kernel* kernel = nullptr;
  isa::Dim3 grid;
  isa::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< bytes of the parameter block
  isa::GlobalMemory* memory = nullptr;
  std::optional<isa::Dim3> cluster;     ///< CTAs per cluster; none: those that the kernel fixes, or no clusters
  bool non_portable_cluster = false;    ///< clusters of more than isa::kPortableClusterCtas may be launched
  std::uint64_t grid_workspace = 0;     ///< of a cooperative launch: isa::place_grid_workspace
  std::uint64_t parameter_copy = 0;     ///< isa::copy_parameters
  isa::DeviceHeap* heap = nullptr;      ///< of device malloc
  isa::DeviceOutput* output = nullptr;  ///< of printf
  LaunchOptions options;
  /// Fills what starts with a pattern and finds who reads it; none: zeros. Copies are checked then, too.
  isa::Poison* poison = nullptr;
  isa::UnsetSymbols* unset_symbols = nullptr;  ///< finds reads of variables that nobody set
  Probe* probe = nullptr;                      ///< sees what happens; none: nobody does
};

/// A launch that the hardware would refuse (too many threads, too much shared memory ...): the user's error.
struct LaunchError : std::runtime_error {
  /// What is too much or does not fit; kCta: the whole of a CTA.
  enum class Cause : std::uint8_t { kBlock, kSharedMemory, kCta, kCluster, kGrid };
  LaunchError(Cause of, const std::string& text) : std::runtime_error(text), cause(of) {}
  Cause cause;
};
/// No warp can ever issue again; the text says who waits for what.
struct Deadlock : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// LaunchWatch::go_on() said so.
struct LaunchStopped : std::runtime_error {
  LaunchStopped() : std::runtime_error("the launch was stopped by who watched it") {}
};

/// CTAs of this launch that fit on one SM at once; throws LaunchError when none does.
struct Occupancy {
  int ctas_per_sm = 0;
  const char* limit = "";
};
Occupancy occupancy(const GpuParams& gpu, const isa::Kernel& kernel, isa::Dim3 block,
                    std::uint32_t dynamic_shared_bytes);

/// CTAs per cluster of a launch whose CTAs fit as `fit` says; none: no clusters. Throws LaunchError when the kernel,
/// the grid or the GPU does not allow such clusters.
std::optional<isa::Dim3> cluster_of(const GpuParams& gpu, const isa::Kernel& kernel, isa::Dim3 grid,
                                    const std::optional<isa::Dim3>& asked, bool non_portable, const Occupancy& fit);
/// Clusters of `ctas` CTAs that the GPU holds at once.
std::uint64_t resident_clusters(const GpuParams& gpu, std::uint64_t ctas, const Occupancy& fit);

}  // namespace stc::gpu
