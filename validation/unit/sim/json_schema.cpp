// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/sim/json_schema.h"

#include <algorithm>
#include <set>

namespace stc::sim {

using nlohmann::json;

std::vector<std::string> JsonSchema::violations(const json& document) const {
  std::vector<std::string> errors;
  check(document, root_, "", errors);
  return errors;
}

bool JsonSchema::has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

void JsonSchema::check(const json& value, const json& schema, const std::string& path,
                       std::vector<std::string>& errors) const {
  if (schema.contains("$ref")) {
    check(value, root_.at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), path, errors);
    return;
  }
  static const std::set<std::string> known = {
      "$schema", "title", "description", "unit",       "definitions",         "type", "const", "enum",
      "minimum", "items", "required",    "properties", "additionalProperties"};
  for (const auto& [keyword, ignored] : schema.items()) {
    if (known.count(keyword) == 0) errors.push_back(path + ": the schema uses '" + keyword + "'");
  }
  if (schema.contains("const") && value != schema.at("const"))
    errors.push_back(path + ": is not " + schema.at("const").dump());
  if (schema.contains("type")) {
    const json types = schema.at("type").is_array() ? schema.at("type") : json::array({schema.at("type")});
    const bool fits = std::any_of(types.begin(), types.end(), [&](const json& type) { return has_type(value, type); });
    if (!fits) errors.push_back(path + ": " + value.dump() + " is not of type " + types.dump());
  }
  if (schema.contains("enum")) {
    const json& allowed = schema.at("enum");
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      errors.push_back(path + ": " + value.dump() + " is not allowed");
  }
  if (schema.contains("minimum") && value.is_number() && value.get<double>() < schema.at("minimum").get<double>()) {
    errors.push_back(path + ": " + value.dump() + " is too small");
  }
  if (value.is_array() && schema.contains("items")) {
    for (std::size_t i = 0; i < value.size(); ++i)
      check(value[i], schema.at("items"), path + "/" + std::to_string(i), errors);
  }
  if (value.is_object()) check_object(value, schema, path, errors);
}

void JsonSchema::check_object(const json& value, const json& schema, const std::string& path,
                              std::vector<std::string>& errors) const {
  for (const json& key : schema.value("required", json::array())) {
    if (!value.contains(key.get<std::string>())) errors.push_back(path + ": lacks " + key.dump());
  }
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, member] : value.items()) {
    if (properties.contains(key)) {
      check(member, properties.at(key), path + "/" + key, errors);
      continue;
    }
    const json others = schema.value("additionalProperties", json(true));
    if (others.is_object()) check(member, others, path + "/" + key, errors);
    if (others == json(false)) errors.push_back(path + ": has the unknown key '" + key + "'");
  }
}

}  // namespace stc::sim
