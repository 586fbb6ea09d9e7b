// SPDX-License-Identifier: Apache-2.0
// The figures that a simulated launch counts: those of models/gpu/counters.def and what follows from them.
#pragma once

#include <cstdint>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "sim/result/description.h"

namespace stc::sim {

/// What the figures are computed from; both outlive it.
struct RunFigures {
  const gpu::RunStatistics* run = nullptr;
  const gpu::GpuParams* gpu = nullptr;
};

/// Keys `cycles` to `per_sm` of a result.
const Description<RunFigures>& describe_run();

/// Value of a figure among `figures`, describe_run()'s JSON, by its path, such as "memory.l2_sectors";
/// std::logic_error when there is none.
double figure_of(const Json& figures, const std::string& path);

/// Unit and meaning of a figure by its path.
const Json& figure_schema(const std::string& path);

/// part / whole, 0 when there is no whole.
double share(std::uint64_t part, std::uint64_t whole);

}  // namespace stc::sim
