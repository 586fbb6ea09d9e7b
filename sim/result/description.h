// SPDX-License-Identifier: Apache-2.0
// Objects of a result, described once: JSON and its schema (JSON Schema, draft 7) are made from the same rows.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

using Json = nlohmann::ordered_json;

/// Stands for a value that this source of results does not know; its key is left out.
inline Json unknown() { return Json(Json::value_t::discarded); }

// Schemas of values. Every number has a unit; `nullable` adds null for a value that does not exist.
Json whole_number(const std::string& unit, const std::string& meaning);
Json real_number(const std::string& unit, const std::string& meaning);
Json signed_number(const std::string& unit, const std::string& meaning);  ///< may be negative
Json words(const std::string& meaning);
Json one_of(const std::string& meaning, const std::vector<std::string>& values);
Json yes_or_no(const std::string& meaning);
Json list_of(const Json& elements, const std::string& meaning);
Json map_of(const Json& elements, const std::string& meaning);  ///< by names that the run gives
Json nullable(Json schema);

/// The schema of a value: made when it is asked for where an object's own is large, and shared between copies.
class Schema {
 public:
  Schema(Json json) : made_(std::make_shared<const Json>(std::move(json))) {}
  explicit Schema(std::function<Json()> make) : make_(std::make_shared<const std::function<Json()>>(std::move(make))) {}
  Json json() const { return made_ ? *made_ : (*make_)(); }

 private:
  std::shared_ptr<const Json> made_;
  std::shared_ptr<const std::function<Json()>> make_;
};

/// Keys of the objects that describe a T, in their order.
template <class T>
class Description {
 public:
  using Value = std::function<Json(const T&)>;

  explicit Description(std::string meaning = "") : meaning_(std::move(meaning)) {}

  /// A key that every source gives.
  Description& always(const std::string& key, Schema schema, Value value) {
    rows_.push_back({key, std::move(schema), true, std::move(value)});
    return *this;
  }
  /// A key that is left out when its value is unknown().
  Description& maybe(const std::string& key, Schema schema, Value value) {
    rows_.push_back({key, std::move(schema), false, std::move(value)});
    return *this;
  }
  /// An object of its own; left out when `part` finds none.
  template <class U>
  Description& maybe(const std::string& key, const Description<U>& of, std::function<std::optional<U>(const T&)> part) {
    return maybe(key, schema_of(of), [of, part](const T& from) {
      const std::optional<U> found = part(from);
      return found ? of.json(*found) : unknown();
    });
  }
  template <class U>
  Description& always(const std::string& key, const Description<U>& of, std::function<U(const T&)> part) {
    return always(key, schema_of(of), [of, part](const T& from) { return of.json(part(from)); });
  }
  /// The keys of another description beside one's own, all left out when `part` finds none.
  template <class U>
  Description& include(const Description<U>& of, std::function<std::optional<U>(const T&)> part) {
    for (const auto& row : of.rows()) {
      maybe(row.key, row.schema, [row, part](const T& from) {
        const std::optional<U> found = part(from);
        return found ? row.value(*found) : unknown();
      });
    }
    return *this;
  }

  Json json(const T& from) const {
    Json out = Json::object();
    for (const Row& row : rows_) {
      Json value = row.value(from);
      if (!value.is_discarded()) out[row.key] = std::move(value);
    }
    return out;
  }
  Json schema() const {
    Json properties = Json::object(), required = Json::array();
    for (const Row& row : rows_) {
      properties[row.key] = row.schema.json();
      if (row.required) required.push_back(row.key);
    }
    Json out = {{"type", "object"}, {"description", meaning_}, {"properties", properties}};
    if (!required.empty()) out["required"] = required;
    out["additionalProperties"] = false;
    return out;
  }

  struct Row {
    std::string key;
    Schema schema;
    bool required;
    Value value;
  };
  const std::vector<Row>& rows() const { return rows_; }

 private:
  template <class U>
  static Schema schema_of(const Description<U>& of) {
    return Schema(std::function<Json()>([of] { return of.schema(); }));
  }

  std::string meaning_;
  std::vector<Row> rows_;
};

}  // namespace stc::sim
