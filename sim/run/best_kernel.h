// SPDX-License-Identifier: Apache-2.0
// The kernel of the library that finishes a GEMM first on a certain GPU.
//
// Small problems run whole with each kernel. Of others two short runs tell, for as many CTAs as the GPU holds at once,
// what a CTA costs beside its k-loop and what each step of the loop costs; two more, what steps cost when only the last
// CTAs are left. The estimate is whole rounds of CTAs and a last one that is not full:
//
//   cycles = overhead + rounds * (start + steps * step) + (start + steps * step of the last ones)
//
// CTAs of warpgroup kernels stay and take tile after tile: a run in which each takes two says what a further one costs.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/manifest.h"
#include "sim/result/run_result.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// D[m,n] = A[m,k] x B[k,n], A stored in `pattern` ("dense" or N:M).
struct GemmQuestion {
  ElementType element = ElementType::f16;
  std::string pattern;
  int m = 0, n = 0, k = 0;
  bool warm_l2 = false;
  std::string place;  ///< in the run file
};

/// Answers questions by simulating on `machine`, whose GPU is `gpu`. Answers are remembered from run to run in
/// $STC_CACHE/best_kernels.jsonl (default: $XDG_CACHE_HOME/stcsim, else ~/.cache/stcsim), under a hash of the question,
/// the GPU, the kernels and this program; where that cannot be written they are not.
class BestKernel {
 public:
  BestKernel(const GpuConfig& gpu, const Manifest& manifest, gpu::Machine& machine);
  /// Candidates, the fastest first. UserError when no kernel of the library fits.
  std::vector<KernelEstimate> rank(const GemmQuestion& question);

 private:
  struct Probe {
    int m = 0, n = 0, k = 0;  ///< CTAs in m and n, steps of the k-loop
  };
  std::vector<LibraryKernel> candidates(const GemmQuestion& question) const;
  double estimate(const LibraryKernel& kernel, const GemmQuestion& question);
  double estimate_persistent(const LibraryKernel& kernel, const Probe& whole, int resident, bool warm_l2);
  int resident_ctas(const LibraryKernel& kernel) const;
  /// Of a probe that is run whole, or as deep as two others tell.
  double at_depth(const LibraryKernel& kernel, const Probe& probe, bool warm_l2);
  double cycles(const LibraryKernel& kernel, const Probe& probe, bool warm_l2);
  std::string key_of(const GemmQuestion& question, const std::vector<LibraryKernel>& kernels) const;

  const GpuConfig& gpu_;
  const Manifest& manifest_;
  gpu::Machine& machine_;
  std::string step_;  ///< "trying kernel 3/12"
};

}  // namespace stc::sim
