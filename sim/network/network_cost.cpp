// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_cost.h"

#include <nlohmann/json.hpp>

namespace stc::sim {

nlohmann::ordered_json NetworkCost::json() const {
  return {{"kernel", kernel},           {"sparse", sparse},         {"cycles_elapsed", cycles},
          {"time_us", time_us},         {"joules", joules},         {"time_under_power_limit_us", limited_us},
          {"tensor_busy", tensor_busy}, {"dram_bytes", dram_bytes}, {"bound_by", bound}};
}

NetworkCost NetworkCost::from_json(const nlohmann::ordered_json& json) {
  NetworkCost cost;
  cost.kernel = json.at("kernel").get<std::string>();
  cost.sparse = json.at("sparse").get<bool>();
  cost.cycles = json.at("cycles_elapsed").get<std::uint64_t>();
  cost.time_us = json.at("time_us").get<double>();
  cost.joules = json.at("joules").get<double>();
  cost.limited_us = json.at("time_under_power_limit_us").get<double>();
  cost.tensor_busy = json.at("tensor_busy").get<double>();
  cost.dram_bytes = json.at("dram_bytes").get<std::uint64_t>();
  cost.bound = json.at("bound_by").get<std::string>();
  return cost;
}

NetworkCost network_cost(const LaunchResult& launch, const gpu::GpuParams& gpu, const std::string& kernel,
                         bool sparse) {
  NetworkCost cost;
  cost.kernel = kernel;
  cost.sparse = sparse;
  cost.cycles = launch.run.cycles_elapsed;
  cost.time_us = launch.time_us();
  const gpu::Energy& energy = launch.run.energy;
  const bool limited = energy.limited_mhz > 0;
  if (energy.known) cost.joules = limited ? energy.limited_joules : energy.total();
  cost.limited_us = limited ? energy.limited_seconds * 1e6 : cost.time_us;
  cost.tensor_busy = tensor_busy_fraction(launch.run, gpu);
  for (const Level& level : levels_of(launch.run)) {
    if (std::string(level.key) == "dram")
      cost.dram_bytes = total_bytes(level.bytes->read) + total_bytes(level.bytes->write);
  }
  cost.bound = launch.bound.by;
  return cost;
}

}  // namespace stc::sim
