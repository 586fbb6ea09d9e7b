// SPDX-License-Identifier: Apache-2.0
// The text of a JSON value, whatever its strings hold. Names come from files and command lines and may be any bytes;
// JSON must be UTF-8, so bytes that are not become U+FFFD.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace stc::sim {

/// On one line, or indented by so many blanks a level.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// The value of a text; throws nlohmann's exception where the text is no JSON. The parser is compiled here alone.
nlohmann::ordered_json parse_json(std::string_view text);

/// The same; "discarded" (is_discarded()) where the text is no JSON.
nlohmann::ordered_json parse_json_or_discard(std::string_view text);

}  // namespace stc::sim
