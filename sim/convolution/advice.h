// SPDX-License-Identifier: Apache-2.0
// Is 2:4 worth it for a layer, and why?
//
// Rule. The fastest dense kernel against the fastest 2:4 kernel. From 5 % on the answer is yes or no, nearer it is
// even: the ratio of a sparse and a dense kernel is known to 3.5 % (validation/DEVIATIONS.md, T18). A gain is explained
// by what limits the dense kernel, anything else by what limits the sparse one.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/convolution/kernel_library.h"
#include "sim/result/run_result.h"

namespace stc::sim {

/// What is kept of one simulated kernel.
struct KernelTime {
  std::string kernel;
  bool sparse = false;
  std::uint64_t cycles = 0;  ///< elapsed, with the launch
  double time_us = 0;
  double tensor_busy = 0;  ///< fraction of the tensor cores' cycles
  std::int64_t ctas = 0;
  int tiles_k = 0;
  std::string bound;           ///< Bound::by
  std::string explanation;     ///< of the bound
  double weights_of_dram = 0;  ///< share of the bytes moved from and to device memory, with metadata
  double weights_of_l2 = 0;    ///< share of the bytes that L2 delivers, with metadata

  nlohmann::ordered_json json() const;
  static KernelTime from_json(const nlohmann::ordered_json& json);
};

KernelTime kernel_time(const LaunchResult& launch, const gpu::GpuParams& gpu, const ConvolutionKernel& kernel,
                       const ConvolutionLayer& layer);

enum class Use : std::uint8_t { kYes, kEven, kNo };
const char* name_of(Use use);

struct Advice {
  Use use = Use::kEven;
  std::string because;  ///< a few words
  std::string reason;   ///< a sentence with numbers
};

constexpr double kClearGain = 1.05;

Advice advise(const KernelTime& dense, const KernelTime& sparse, int sms);

}  // namespace stc::sim
