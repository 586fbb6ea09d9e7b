// SPDX-License-Identifier: Apache-2.0
// What limited a run.
//
// Rule. Utilisation of a resource is what was used divided by what it could have given:
//   tensor         busy cycles of the tensor cores / sub-cores x cycles in which their SM held a CTA
//   issue          warp instructions / the same
//   shared memory  wavefronts x cycles of a wavefront / cycles in which the SM held a CTA
//   L2             bytes read / bytes that the crossbar, or the SMs' ports if those are narrower, deliver in the cycles
//   DRAM           bytes moved / bytes that the memory moves in the cycles
//   launch         SM-cycles of the elapsed time in which an SM held no CTA (launch overhead, too few CTAs, the
//                  tail), and what the fastest GPC's clock counts more
// If launch is at least half, the verdict is launch. Else, if the highest of the others is at least 60 %, the verdict
// is that resource. Else nothing is exhausted and the warps wait for results: latency, with the largest stall named.
#pragma once

#include <array>
#include <string>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"

namespace stc::sim {

struct Bound {
  enum Resource { kTensor, kIssue, kSharedMemory, kL2, kDram, kResources };
  std::string by;  ///< "tensor", "issue", "shared_memory", "l2", "dram", "latency", "launch"
  std::array<double, kResources> utilisation{};  ///< 0 to 1, by Resource
  double launch = 0;                             ///< share of SM-time without a CTA
  std::string explanation;                       ///< one sentence with the numbers
};

const char* name_of(Bound::Resource resource);
const char* meaning_of(Bound::Resource resource);

Bound find_bound(const gpu::GpuParams& gpu, const gpu::RunStatistics& run);

}  // namespace stc::sim
