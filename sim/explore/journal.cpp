// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/journal.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace stc::sim {

Journal::Journal(const std::string& file, bool forget) : lines_(file, "sweep", forget) {
  for (const std::string& line : lines_.lines()) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) continue;
    try {
      results_[json.at("key").get<std::string>()] = PointResult::from_json(json.at("result"));
    } catch (const nlohmann::json::exception&) {
      // Lines of another version are no results of this one.
    }
  }
}

std::optional<PointResult> Journal::find(const std::string& key) const {
  const auto found = results_.find(key);
  if (found == results_.end()) return std::nullopt;
  return found->second;
}

void Journal::add(const std::string& key, const std::string& name, const PointResult& result) {
  results_[key] = result;
  if (result.ok()) lines_.append(json_text({{"key", key}, {"point", name}, {"result", result.json()}}));
}

}  // namespace stc::sim
