// SPDX-License-Identifier: Apache-2.0
// A node of a YAML file that knows where it stands, so that every complaint names file, line, column and key.
// Readers ask for exactly the keys that they know; anything else is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/document.h"

namespace stc::sim {

/// One `--set key.key=value` of the command line.
struct Override {
  std::string path;
  std::string value;
};
/// Splits "a.b=c"; UserError when it is not of that form.
Override parse_override(const std::string& text);
/// All `--set` of a command line; UserError when one key is given twice. `prefix` may stand before keys or not.
std::vector<Override> parse_overrides(const std::vector<std::string>& texts, const std::string& prefix = "");

class ConfigNode {
 public:
  /// Reads `file` and applies the overrides on top. UserError when it is no readable YAML.
  static ConfigNode load(const std::string& file, const std::vector<Override>& overrides = {});
  static ConfigNode parse(const std::string& text, const std::string& name,
                          const std::vector<Override>& overrides = {});

  bool is_map() const;
  bool is_sequence() const;
  bool is_scalar() const;

  /// The node must be a map whose keys are all in `allowed`, none twice.
  void allow_keys(const std::vector<std::string>& allowed) const;
  std::optional<ConfigNode> find(const std::string& key) const;
  ConfigNode at(const std::string& key) const;  ///< UserError when missing
  /// Of a map, in the order of the file; UserError when a key is given twice.
  std::vector<std::pair<std::string, ConfigNode>> items() const;
  std::vector<ConfigNode> elements() const;  ///< of a sequence

  std::string text() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double number() const;             ///< a finite one
  double number_or_special() const;  ///< inf, -inf and nan as well
  bool flag() const;
  std::string one_of(const std::vector<std::string>& allowed) const;
  /// A file name: relative to the folder of this YAML file, or to the working folder when it came from --set.
  std::string file_path() const;

  const std::string& path() const { return path_; }  ///< "workload.gemm.m"; empty at the root
  std::string place() const;                         ///< "run.yaml:3:7" or "--set workload.gemm.m=0"
  std::string where() const;                         ///< "run.yaml:3:7: workload.gemm.m"
  bool overridden() const;                           ///< came from --set
  const std::string& file() const;
  [[noreturn]] void fail(const std::string& message) const;

 private:
  struct Source;
  ConfigNode(const DocumentNode& node, DocumentMark mark, std::string path, std::shared_ptr<const Source> source);
  ConfigNode child(const DocumentNode& node, DocumentMark mark, const std::string& key) const;
  std::string child_path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  const char* kind() const;
  void require(bool is_it, const char* wanted) const;
  [[noreturn]] void refuse_number(const char* wanted) const;

  const DocumentNode* node_;  ///< of the source's document
  DocumentMark mark_;         ///< of the key; of the value itself in a list
  std::string path_;
  std::shared_ptr<const Source> source_;
};

}  // namespace stc::sim
