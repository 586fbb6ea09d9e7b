// SPDX-License-Identifier: Apache-2.0
// What a run makes of a run file: its launch, those to compare it with, and what is needed to check their
// results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/run/run_launch.h"

namespace stc::sim {

struct Job {
  std::vector<ReadyLaunch> before;  ///< launches of a sequence that come first, on the same memory
  ReadyLaunch ready;
  std::optional<GemmProblem> gemm;
  /// Is this D right? Empty where nothing is to be checked. Keeps what it needs.
  std::function<GemmCheck(const isa::BufferBytes& d)> check;
  std::optional<RunOptions> options;  ///< none: those of the run file
};

struct Jobs {
  Job main;
  std::optional<Job> dense, same_tile;                       ///< to compare with; as in RunResult
  std::vector<KernelEstimate> candidates, dense_candidates;  ///< of 'kernel: best'
};

/// Of any run file; that of `--dense` is no part of it.
Jobs prepare_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine);

/// workload.gemm. With 'kernel: best' the kernels that fit are tried on `machine` first.
Jobs prepare_gemm_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine);

/// workload.conv. With 'kernel: best' the kernels that fit are timed on `machine` first.
Jobs prepare_convolution_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine);

}  // namespace stc::sim
