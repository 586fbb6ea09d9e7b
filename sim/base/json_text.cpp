// SPDX-License-Identifier: Apache-2.0
#include "sim/base/json_text.h"

#include <nlohmann/json.hpp>

namespace stc::sim {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json parse_json(std::string_view text) { return nlohmann::ordered_json::parse(text); }

nlohmann::ordered_json parse_json_or_discard(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace stc::sim
