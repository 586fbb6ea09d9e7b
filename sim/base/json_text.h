// SPDX-License-Identifier: Apache-2.0
// The text of a JSON value, whatever its strings hold. Names come from files and command lines and may be any bytes;
// JSON must be UTF-8, so bytes that are not become U+FFFD.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stc::sim {

/// On one line, or indented by so many blanks a level.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace stc::sim
