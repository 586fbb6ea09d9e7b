// SPDX-License-Identifier: Apache-2.0
#include "sim/result/gpu_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace stc::sim {
namespace {

using GpuJson = nlohmann::ordered_json;

GpuJson parameter_json(const Parameter& parameter, const GpuConfig& config) {
  GpuJson row = {{"key", parameter.path}};
  std::visit(
      [&](const auto* value) {
        row["value"] = *value;
        using T = std::remove_const_t<std::remove_pointer_t<decltype(value)>>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
          row["unit"] = parameter.unit;
          row["low"] = parameter.low;
          row["high"] = parameter.high;
        }
      },
      parameter.target);
  row["meaning"] = parameter.meaning;
  const auto evidence = config.evidence.find(parameter.path);
  if (evidence != config.evidence.end()) row["evidence"] = evidence->second;
  return row;
}

}  // namespace

nlohmann::ordered_json gpu_json(GpuConfig config) {
  const ParameterLister lister = parameters_of(config.params);
  GpuJson rows = GpuJson::array(), groups = GpuJson::array();
  for (const Parameter& parameter : lister.parameters()) rows.push_back(parameter_json(parameter, config));
  for (const ParameterGroup& group : lister.groups()) {
    groups.push_back({{"key", group.path}, {"meaning", group.meaning}});
  }
  return {{"schema", kGpuSchema}, {"file", config.file},         {"name", config.params.name},
          {"hash", config.hash},  {"groups", std::move(groups)}, {"parameters", std::move(rows)}};
}

}  // namespace stc::sim
