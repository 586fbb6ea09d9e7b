// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {

struct ConfigNode::Source {
  std::string file;
  std::vector<Override> overrides;
  Document document;
};

namespace {

using Kind = DocumentNode::Kind;

std::string mark_text(const std::string& file, const DocumentMark& mark) {
  if (mark.is_null()) return file;
  return fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

/// Calls `each` with every key and its value until it returns true.
template <class Each>
void for_entries(const DocumentNode& map, const Each& each) {
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    if (each(*map.children[i], *map.children[i + 1])) return;
  }
}

/// The value of `key` of a map, made when it is missing.
DocumentNode& value_of(DocumentNode& map, const std::string& key, Document& document) {
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    const DocumentNode& name = *map.children[i];
    if (name.kind == Kind::kScalar && name.scalar == key) return *map.children[i + 1];
  }
  map.children.push_back(document.add(Kind::kScalar, {}, key));
  map.children.push_back(document.add(Kind::kNothing, {}));
  return *map.children.back();
}

void apply_override(DocumentNode& node, const std::vector<std::string>& keys, std::size_t depth, const Override& set,
                    Document& document) {
  const std::string& key = keys[depth];
  const bool last = depth + 1 == keys.size();
  if (node.kind == Kind::kList) {
    const auto index = parse_integer(key);
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(node.children.size())) {
      throw UserError(fmt::format("--set {}={}: '{}' is no index of a list of {} elements", set.path, set.value, key,
                                  node.children.size()));
    }
    DocumentNode& element = *node.children[static_cast<std::size_t>(*index)];
    if (last) {
      element = *document.read(set.value);
    } else {
      apply_override(element, keys, depth + 1, set, document);
    }
    return;
  }
  if (node.kind != Kind::kMap) {
    throw UserError(fmt::format("--set {}={}: there is no place for '{}', what contains it is a plain value", set.path,
                                set.value, key));
  }
  if (last) {
    DocumentNode& changed = *document.read(set.value);
    value_of(node, key, document) = changed;
    return;
  }
  DocumentNode& value = value_of(node, key, document);
  if (value.kind == Kind::kNothing) value.kind = Kind::kMap;
  apply_override(value, keys, depth + 1, set, document);
}

}  // namespace

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UserError(fmt::format("--set {}: must have the form key.key=value", text));
  }
  Override result{text.substr(0, equals), text.substr(equals + 1)};
  for (const std::string& key : split(result.path, '.')) {
    if (key.empty()) throw UserError(fmt::format("--set {}: has an empty key", text));
  }
  if (result.value.empty()) throw UserError(fmt::format("--set {}: has no value", text));
  return result;
}

std::vector<Override> parse_overrides(const std::vector<std::string>& texts, const std::string& prefix) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) {
    overrides.push_back(parse_override(text));
    if (overrides.back().path.rfind(prefix, 0) == 0) overrides.back().path.erase(0, prefix.size());
    const auto same = [&](const Override& other) { return other.path == overrides.back().path; };
    if (std::find_if(overrides.begin(), overrides.end(), same) == overrides.end() - 1) continue;
    throw UserError(fmt::format("--set {}: '{}' is set twice", text, overrides.back().path));
  }
  return overrides;
}

ConfigNode ConfigNode::load(const std::string& file, const std::vector<Override>& overrides) {
  return parse(read_text(file), file, overrides);
}

ConfigNode ConfigNode::parse(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  auto source = std::make_shared<Source>();
  source->file = name;
  DocumentNode* root = nullptr;
  try {
    root = source->document.read(text);
  } catch (const DocumentError& error) {
    throw UserError(fmt::format("{}: not valid YAML: {}", mark_text(name, error.mark), error.message));
  }
  if (root->kind != Kind::kMap) throw UserError(fmt::format("{}: must hold keys with values (a YAML map)", name));
  for (const Override& set : overrides) {
    try {
      apply_override(*root, split(set.path, '.'), 0, set, source->document);
    } catch (const DocumentError& error) {
      throw UserError(fmt::format("--set {}={}: not valid YAML: {}", set.path, set.value, error.message));
    }
  }
  source->overrides = overrides;
  return ConfigNode(*root, {}, "", std::move(source));
}

ConfigNode::ConfigNode(const DocumentNode& node, DocumentMark mark, std::string path,
                       std::shared_ptr<const Source> source)
    : node_(&node), mark_(mark), path_(std::move(path)), source_(std::move(source)) {}

bool ConfigNode::is_map() const { return node_->kind == Kind::kMap; }
bool ConfigNode::is_sequence() const { return node_->kind == Kind::kList; }
bool ConfigNode::is_scalar() const { return node_->kind == Kind::kScalar; }

const char* ConfigNode::kind() const {
  switch (node_->kind) {
    case Kind::kMap: return "a map of keys";
    case Kind::kList: return "a list";
    case Kind::kScalar: return "a plain value";
    default: return "nothing";
  }
}

void ConfigNode::require(bool is_it, const char* wanted) const {
  if (!is_it) fail(fmt::format("must be {}, but is {}", wanted, kind()));
}

void ConfigNode::allow_keys(const std::vector<std::string>& allowed) const {
  if (!is_map()) require(false, fmt::format("a map with the keys {}", join(allowed, ", ")).c_str());
  for (const auto& [key, value] : items()) {
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      throw UserError(
          fmt::format("{}: {}", value.place(),
                      unknown_word(path_.empty() ? "key" : fmt::format("key of {}:", path_), key, allowed)));
    }
  }
}

ConfigNode ConfigNode::child(const DocumentNode& node, DocumentMark mark, const std::string& key) const {
  return ConfigNode(node, mark, child_path(key), source_);
}

std::optional<ConfigNode> ConfigNode::find(const std::string& key) const {
  require(is_map(), "a map of keys");
  std::optional<ConfigNode> found;
  for_entries(*node_, [&](const DocumentNode& name, const DocumentNode& value) {
    if (name.kind != Kind::kScalar || name.scalar != key) return false;
    found = child(value, name.mark, key);
    return true;
  });
  return found;
}

ConfigNode ConfigNode::at(const std::string& key) const {
  if (auto found = find(key)) return *found;
  if (path_.empty()) throw UserError(fmt::format("{}: key '{}' is missing", source_->file, key));
  throw UserError(fmt::format("{}: key '{}' of {} is missing", place(), key, path_));
}

std::vector<std::pair<std::string, ConfigNode>> ConfigNode::items() const {
  require(is_map(), "a map of keys");
  std::vector<std::pair<std::string, ConfigNode>> result;
  std::set<std::string> seen;
  for_entries(*node_, [&](const DocumentNode& key, const DocumentNode& value) {
    if (key.kind != Kind::kScalar) fail("has a key that is not a plain word");
    result.emplace_back(key.scalar, child(value, key.mark, key.scalar));
    if (seen.insert(key.scalar).second) return false;
    throw UserError(fmt::format("{}: key '{}' is given twice", result.back().second.place(), key.scalar));
  });
  return result;
}

std::vector<ConfigNode> ConfigNode::elements() const {
  require(is_sequence(), "a list");
  std::vector<ConfigNode> result;
  for (std::size_t i = 0; i < node_->children.size(); ++i) {
    const DocumentNode& element = *node_->children[i];
    result.push_back(child(element, element.mark.is_null() ? mark_ : element.mark, std::to_string(i)));
  }
  return result;
}

std::string ConfigNode::text() const {
  require(is_scalar(), "a plain value");
  return node_->scalar;
}

std::int64_t ConfigNode::integer(std::int64_t low, std::int64_t high) const {
  require(is_scalar(), "a whole number");
  const auto value = parse_integer(node_->scalar);
  if (!value) refuse_number("a whole number");
  if (*value < low || *value > high) fail(fmt::format("is {}, but must lie in {} .. {}", *value, low, high));
  return *value;
}

double ConfigNode::number() const {
  const double value = number_or_special();
  if (!std::isfinite(value)) fail(fmt::format("must be a finite number, but is '{}'", node_->scalar));
  return value;
}

double ConfigNode::number_or_special() const {
  require(is_scalar(), "a number");
  const auto value = parse_number(node_->scalar);
  if (!value) refuse_number("a number");
  return *value;
}

/// Says what is wrong with a number that is one elsewhere.
void ConfigNode::refuse_number(const char* wanted) const {
  const std::string& text = node_->scalar;
  const std::size_t sign = text.find_first_of("+-") == 0 ? 1 : 0;
  const std::size_t digits = text.find_first_not_of("0123456789", sign);
  std::string why;
  if (text.size() > sign + 1 && text[sign] == '0' && text[sign + 1] >= '0' && text[sign + 1] <= '9') {
    why = "; zeros in front make it octal elsewhere, leave them out";
  } else if (digits == std::string::npos && text.size() > sign) {
    why = "; it must fit into 64 bits";
  } else if (const auto value = parse_number(text); value && *value == std::floor(*value) && std::abs(*value) < 1e15) {
    why = fmt::format("; write {:.0f}", *value);
  } else if (!value && text.find_first_not_of("0123456789+-.eE") == std::string::npos) {
    why = "; it may be out of the range of 64-bit numbers";
  }
  fail(fmt::format("must be {}, but is '{}'{}", wanted, text, why));
}

bool ConfigNode::flag() const {
  require(is_scalar(), "true or false");
  if (node_->scalar == "true") return true;
  if (node_->scalar == "false") return false;
  fail(fmt::format("must be true or false, but is '{}'", node_->scalar));
}

std::string ConfigNode::one_of(const std::vector<std::string>& allowed) const {
  if (!is_scalar()) require(false, fmt::format("one of {}", join(allowed, ", ")).c_str());
  if (std::find(allowed.begin(), allowed.end(), node_->scalar) == allowed.end()) {
    fail(unknown_word("value", node_->scalar, allowed));
  }
  return node_->scalar;
}

std::string ConfigNode::file_path() const {
  const std::string name = text();
  if (name.empty()) fail("must be a file name, but is empty");
  return resolve_path(overridden() ? "." : folder_of(source_->file), name);
}

std::string ConfigNode::where() const { return place() + ": " + path(); }

bool ConfigNode::overridden() const {
  return std::any_of(source_->overrides.begin(), source_->overrides.end(),
                     [&](const Override& set) { return path_ == set.path || path_.rfind(set.path + ".", 0) == 0; });
}

std::string ConfigNode::place() const {
  for (auto set = source_->overrides.rbegin(); set != source_->overrides.rend(); ++set) {
    const bool below = path_.rfind(set->path + ".", 0) == 0;
    const bool created = mark_.is_null() && !path_.empty() && set->path.rfind(path_ + ".", 0) == 0;
    if (path_ == set->path || below || created) return fmt::format("--set {}={}", set->path, set->value);
  }
  return mark_text(source_->file, mark_);
}

const std::string& ConfigNode::file() const { return source_->file; }

void ConfigNode::fail(const std::string& message) const {
  if (path_.empty()) throw UserError(fmt::format("{}: {}", place(), message));
  throw UserError(fmt::format("{}: {} {}", place(), path_, message));
}

}  // namespace stc::sim
