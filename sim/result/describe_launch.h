// SPDX-License-Identifier: Apache-2.0
// What a result says of one launch: the top level of a result, and its "dense" part.
#pragma once

#include "sim/result/description.h"
#include "sim/result/run_result.h"

namespace stc::sim {

/// A launch and the GPU that it ran on; both outlive it.
struct LaunchView {
  const LaunchResult* launch = nullptr;
  const gpu::GpuParams* gpu = nullptr;
};

const Description<LaunchView>& describe_launch();

/// "comparison" of a result: a sparse launch and its dense twin.
struct Comparison {
  const LaunchResult* sparse = nullptr;
  const LaunchResult* dense = nullptr;
};
const Description<Comparison>& describe_comparison();

}  // namespace stc::sim
