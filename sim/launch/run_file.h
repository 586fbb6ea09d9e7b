// SPDX-License-Identifier: Apache-2.0
// A run file, read and checked, nothing built yet. configs/workloads/README.md shows all forms.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "models/isa/state/kernel.h"
#include "sim/config/config_node.h"
#include "sim/launch/arguments.h"
#include "sim/launch/convolution_plan.h"
#include "sim/launch/expectation.h"
#include "sim/launch/fill.h"
#include "sim/launch/run_options.h"
#include "sim/launch/save.h"
#include "sim/launch/symbols.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::sim {

struct BufferPlan {
  std::string name;
  std::uint64_t bytes = 0;               ///< 0: as many as the file has
  std::optional<std::uint64_t> address;  ///< none: wherever there is room
  std::string address_place;             ///< where it was written: "run.yaml:9:12: launch.buffers.A.address"
  DataRole role = DataRole::kOther;
  Fill fill;
  std::vector<HeldPointer> pointers;  ///< addresses of buffers that it holds
};

/// Where a launch is described ("run.yaml:7:3: launch.block"), for what only the kernel and the GPU can tell to be
/// wrong. A place that the run file does not give is that of the launch.
struct LaunchPlaces {
  std::string module, kernel, grid, block, cluster, shared, args;
};

/// Any kernel of any cubin.
struct LaunchPlan {
  std::string module;
  std::string kernel;  ///< empty: the only one of the module
  isa::Dim3 grid;
  isa::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;           ///< all CTAs are resident at once and may wait for each other
  std::optional<isa::Dim3> cluster;   ///< CTAs per cluster; none: what the kernel fixes
  bool non_portable_cluster = false;  ///< clusters of more CTAs than every GPU has may be launched
  std::vector<BufferPlan> buffers;
  std::vector<SymbolPlan> symbols;
  std::vector<Argument> arguments;
  LaunchPlaces places;
  std::vector<LaunchPlan> before;  ///< launches on the same buffers that come first; these have none of their own
};

/// Operands that the caller has in memory, in place of drawn ones.
struct GivenMatrices {
  std::vector<float> a;  ///< [m][k]
  std::vector<float> b;  ///< [n][k]: column-major B
};

/// D[m,n] = A[m,k] x B[k,n] with a kernel of the library, or one that is built.
struct GemmPlan {
  enum class Input : std::uint8_t { kRandom, kIntegers };
  std::string kernel;                   ///< of the library; empty: `built` or `best`
  bool best = false;                    ///< the library's fastest of this type and pattern
  std::optional<ElementType> type;      ///< for `best`; a named kernel must have it where it is given
  std::string pattern;                  ///< the same: dense or N:M
  std::optional<gemm::GemmSpec> built;  ///< to be built by traces/gemm
  std::string place;                    ///< of the kernel's name or the pattern, for messages
  std::int64_t m = 0, n = 0, k = 0;
  std::string m_place, n_place, k_place;
  std::uint64_t seed = 1;
  Input input = Input::kRandom;
  std::optional<double> low, high;  ///< range of the inputs
  std::string input_place;
  std::shared_ptr<const GivenMatrices> given;  ///< none: drawn from `seed`
  std::string kernels_folder;
};

struct RunFile {
  std::string file;
  std::string gpu_file;
  std::vector<Override> gpu_overrides;  ///< of the command line, then those of `options.ideal`
  std::variant<LaunchPlan, GemmPlan, ConvolutionPlan> work;
  std::vector<Save> saves;
  std::vector<Expectation> expectations;
  RunOptions options;

  bool is_gemm() const { return std::holds_alternative<GemmPlan>(work); }
  bool is_convolution() const { return std::holds_alternative<ConvolutionPlan>(work); }
};

/// Reads the file with the overrides applied; those that begin with "gpu." are left for the GPU configuration.
RunFile read_run_file(const std::string& file, const std::vector<Override>& overrides = {});
/// The same for a text that stands in no file; `name` is what messages call it, whose file names are relative to the
/// working folder.
RunFile parse_run_file(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {});

}  // namespace stc::sim
