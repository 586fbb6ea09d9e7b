// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/point_result.h"

#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Every figure with its key, in the order of the journal.
template <class Result, class Visit>
void each_figure(Result& result, const Visit& visit) {
  visit("cycles", result.cycles);
  visit("cycles_elapsed", result.cycles_elapsed);
  visit("time_us", result.time_us);
  visit("warp_instructions", result.warp_instructions);
  visit("tensor_instructions", result.tensor_instructions);
  visit("tensor_busy", result.tensor_busy);
  visit("ctas_per_sm", result.ctas_per_sm);
  visit("registers", result.registers);
  visit("shared_bytes", result.shared_bytes);
  visit("bytes", result.bytes);
  visit("bound", result.bound);
  visit("explanation", result.explanation);
  visit("utilisation", result.utilisation);
  visit("wall_s", result.wall_s);
}

using Levels = std::array<LevelBytes, 4>;

template <class Value>
Json written(const Value& value) {
  return value;
}
Json written(const Levels& bytes) {
  Json levels = Json::object();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    levels[level_keys()[i]] = {{"read", bytes[i].read}, {"write", bytes[i].write}};
  }
  return levels;
}

template <class Value>
void read(const Json& json, Value& value) {
  json.get_to(value);
}
void read(const Json& json, Levels& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const Json& level = json.at(level_keys()[i]);
    level.at("read").get_to(bytes[i].read);
    level.at("write").get_to(bytes[i].write);
  }
}

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

std::string PointResult::outcome() const { return ok() ? grouped(cycles) + " cycles" : "failed: " + failure; }

PointResult PointResult::failed(const std::string& why) {
  PointResult result;
  result.failure = why;
  return result;
}

Json PointResult::json() const {
  if (!ok()) return {{"failure", failure}};
  Json out;
  each_figure(*this, [&](const char* key, const auto& value) { out[key] = written(value); });
  return out;
}

PointResult PointResult::from_json(const Json& json) {
  PointResult result;
  if (json.contains("failure")) {
    result.failure = json.at("failure").get<std::string>();
    return result;
  }
  each_figure(result, [&](const char* key, auto& value) { read(json.at(key), value); });
  return result;
}

}  // namespace stc::sim
