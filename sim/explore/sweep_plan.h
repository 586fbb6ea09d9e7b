// SPDX-License-Identifier: Apache-2.0
// From the cases of a sweep to the runs that answer them, each checked: its kernel exists, the sizes fit, the GPU can
// launch it. What is wrong with a sweep shows here, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "models/tensor_core/mma_timing.h"
#include "models/tensor_core/selector_cost.h"
#include "sim/explore/sweep.h"
#include "sim/launch/gemm_workload.h"

namespace stc::sim {

/// One run: a case with one tile.
struct SweepPoint {
  std::size_t of_case = 0;
  std::size_t tile = 0;
  GemmProblem problem;    ///< with the sizes that run, padding included
  std::string name;       ///< "a100 vit_qkv 3072x1664x1024 f16_2:4_128x128x64_w64x64_s3"
  std::string key;        ///< hash of all that the result depends on, this program included
  double host_bytes = 0;  ///< memory that the run takes here
  double cost = 0;        ///< estimate of the work to simulate it, in any unit
};

/// A tile that a case cannot use, and why.
struct UnfitTile {
  std::size_t of_case = 0;
  std::size_t tile = 0;
  std::string reason;
};

/// The same reason for several questions.
struct UnfitReason {
  std::string reason;
  std::vector<std::string> gpus, patterns;  ///< names, in the order of the sweep
  std::size_t questions = 0;
};

struct SweepPlan {
  Sweep sweep;
  std::vector<SweepPoint> points;
  std::vector<UnfitTile> unfit;
};

/// The matrix instruction that a case is about.
isa::MmaOp instruction_of(const SweepCase& one);

/// UserError when a case has no tile that can run, with sizes for which this computer has the memory.
SweepPlan plan_sweep(Sweep sweep);

std::vector<UnfitReason> unfit_reasons(const SweepPlan& plan);

/// Hash of all points in their order.
std::string identity_of(const SweepPlan& plan);

/// UserError unless the `jobs` largest points fit into this computer's memory together.
void require_memory_for(const SweepPlan& plan, int jobs);

}  // namespace stc::sim
