// SPDX-License-Identifier: Apache-2.0
// Runs one GEMM, compiled or built, as `stcsim run` does.
#pragma once

#include <string>

#include "models/gpu/machine/machine.h"
#include "sim/launch/gemm_check.h"
#include "sim/run/run_launch.h"

namespace stc::timing {

struct GemmRun {
  std::string gpu = "a100";  ///< file in configs/gpus
  int sms = 0;               ///< 0: as configured
  sim::GemmPlan plan;        ///< kernel of the library, or `built`
  bool values = false;       ///< compute D of whole-number inputs and check it
  bool warm_l2 = false;
};

struct GemmOutcome {
  gpu::RunStatistics run;
  sim::GemmCheck check;  ///< if values were computed
};

/// The GPU of the request.
sim::GpuConfig gpu_of(const GemmRun& request);
/// On a machine of its own: once in a process.
GemmOutcome run_gemm(const GemmRun& request);
/// On `machine`, which is gpu_of(request).
GemmOutcome run_gemm(const GemmRun& request, gpu::Machine& machine);

/// The spec that builds what the compiled kernel `name` is: f16_sp24_128x128x64_w64x64_s3.
gemm::GemmSpec spec_of_compiled(const std::string& name);

}  // namespace stc::timing
