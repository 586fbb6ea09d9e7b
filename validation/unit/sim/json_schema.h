// SPDX-License-Identifier: Apache-2.0
// A validator for the part of JSON Schema (draft 7) that stcsim run --schema uses: $ref, type, const, enum, minimum,
// properties, required, additionalProperties, items. A keyword that it does not know is an error, not ignored.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stc::sim {

class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json schema) : root_(std::move(schema)) {}

  /// One sentence for each violation, with its JSON path.
  std::vector<std::string> violations(const nlohmann::json& document) const;

 private:
  void check(const nlohmann::json& value, const nlohmann::json& schema, const std::string& path,
             std::vector<std::string>& errors) const;
  void check_object(const nlohmann::json& value, const nlohmann::json& schema, const std::string& path,
                    std::vector<std::string>& errors) const;
  static bool has_type(const nlohmann::json& value, const std::string& type);
  nlohmann::json root_;
};

}  // namespace stc::sim
