// SPDX-License-Identifier: Apache-2.0
// What one run of a sweep found out: a line of the journal.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/core/statistics.h"
#include "sim/result/run_result.h"

namespace stc::sim {

struct PointResult {
  std::string failure;  ///< why there is no result; empty when there is one
  std::uint64_t cycles = 0;
  std::uint64_t cycles_elapsed = 0;
  double time_us = 0;  ///< of cycles_elapsed
  std::uint64_t warp_instructions = 0;
  std::uint64_t tensor_instructions = 0;
  double tensor_busy = 0;
  int ctas_per_sm = 0;
  int registers = 0;
  std::uint32_t shared_bytes = 0;
  std::array<LevelBytes, 4> bytes;  ///< in the order of levels_of()
  std::string bound;
  std::string explanation;
  std::array<double, Bound::kResources> utilisation{};
  double wall_s = 0;  ///< of the simulator; the only figure that differs from run to run

  bool ok() const { return failure.empty(); }
  std::string outcome() const;  ///< "1,234 cycles", or why there are none
  static PointResult failed(const std::string& why);
  nlohmann::ordered_json json() const;
  static PointResult from_json(const nlohmann::ordered_json& json);
};

/// Keys of the four levels, in their order here.
const std::array<const char*, 4>& level_keys();

}  // namespace stc::sim
