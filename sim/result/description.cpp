// SPDX-License-Identifier: Apache-2.0
#include "sim/result/description.h"

namespace stc::sim {

Json signed_number(const std::string& unit, const std::string& meaning) {
  return {{"type", "number"}, {"unit", unit}, {"description", meaning}};
}

Json real_number(const std::string& unit, const std::string& meaning) {
  Json schema = signed_number(unit, meaning);
  schema["minimum"] = 0;
  return schema;
}

Json whole_number(const std::string& unit, const std::string& meaning) {
  Json schema = real_number(unit, meaning);
  schema["type"] = "integer";
  return schema;
}

Json words(const std::string& meaning) { return {{"type", "string"}, {"description", meaning}}; }

Json one_of(const std::string& meaning, const std::vector<std::string>& values) {
  return {{"type", "string"}, {"description", meaning}, {"enum", values}};
}

Json yes_or_no(const std::string& meaning) { return {{"type", "boolean"}, {"description", meaning}}; }

Json list_of(const Json& elements, const std::string& meaning) {
  return {{"type", "array"}, {"description", meaning}, {"items", elements}};
}

Json map_of(const Json& elements, const std::string& meaning) {
  return {{"type", "object"}, {"description", meaning}, {"additionalProperties", elements}};
}

Json nullable(Json schema) {
  schema["type"] = {schema["type"], "null"};
  return schema;
}

}  // namespace stc::sim
