// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/point_result.h"

#include <nlohmann/json.hpp>

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

const std::array<const char*, 4>& level_keys() {
  static const std::array<const char*, 4> keys = [] {
    const gpu::RunStatistics none;
    std::array<const char*, 4> result{};
    const auto levels = levels_of(none);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = levels[i].key;
    return result;
  }();
  return keys;
}

Json PointResult::json() const {
  if (!ok()) return {{"failure", failure}};
  Json levels = Json::object();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    levels[level_keys()[i]] = {{"read", bytes[i].read}, {"write", bytes[i].write}};
  }
  return {{"cycles", cycles},
          {"cycles_elapsed", cycles_elapsed},
          {"time_us", time_us},
          {"warp_instructions", warp_instructions},
          {"tensor_instructions", tensor_instructions},
          {"tensor_busy", tensor_busy},
          {"ctas_per_sm", ctas_per_sm},
          {"registers", registers},
          {"shared_bytes", shared_bytes},
          {"bytes", levels},
          {"bound", bound},
          {"explanation", explanation},
          {"utilisation", utilisation},
          {"wall_s", wall_s}};
}

PointResult PointResult::from_json(const Json& json) {
  PointResult result;
  if (json.contains("failure")) {
    result.failure = json.at("failure").get<std::string>();
    return result;
  }
  json.at("cycles").get_to(result.cycles);
  json.at("cycles_elapsed").get_to(result.cycles_elapsed);
  json.at("time_us").get_to(result.time_us);
  json.at("warp_instructions").get_to(result.warp_instructions);
  json.at("tensor_instructions").get_to(result.tensor_instructions);
  json.at("tensor_busy").get_to(result.tensor_busy);
  json.at("ctas_per_sm").get_to(result.ctas_per_sm);
  json.at("registers").get_to(result.registers);
  json.at("shared_bytes").get_to(result.shared_bytes);
  for (std::size_t i = 0; i < result.bytes.size(); ++i) {
    const Json& level = json.at("bytes").at(level_keys()[i]);
    level.at("read").get_to(result.bytes[i].read);
    level.at("write").get_to(result.bytes[i].write);
  }
  json.at("bound").get_to(result.bound);
  json.at("explanation").get_to(result.explanation);
  json.at("utilisation").get_to(result.utilisation);
  json.at("wall_s").get_to(result.wall_s);
  return result;
}

}  // namespace stc::sim
