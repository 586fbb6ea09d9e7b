// SPDX-License-Identifier: Apache-2.0
// What a launch of a network cost on a simulated GPU.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/result/run_result.h"

namespace stc::sim {

struct NetworkCost {
  std::string kernel;
  bool sparse = false;
  std::uint64_t cycles = 0;  ///< elapsed, with the launch
  double time_us = 0;
  double joules = 0;       ///< operands of random values; 0 where nobody states the energy
  double limited_us = 0;   ///< at the clock that keeps the board's power limit; time_us where that is not exceeded
  double tensor_busy = 0;  ///< fraction of the tensor cores' cycles
  std::uint64_t dram_bytes = 0;
  std::string bound;  ///< Bound::by

  nlohmann::ordered_json json() const;
  static NetworkCost from_json(const nlohmann::ordered_json& json);
};

NetworkCost network_cost(const LaunchResult& launch, const gpu::GpuParams& gpu, const std::string& kernel, bool sparse);

}  // namespace stc::sim
