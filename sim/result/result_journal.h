// SPDX-License-Identifier: Apache-2.0
// Results on disk by their keys, one line of JSON each, synced to the disk before the next one is added: whatever ends
// the program, only what it was computing is lost.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/base/json_text.h"
#include "sim/base/line_journal.h"

namespace stc::sim {

/// Result: has json() and the static from_json(), which throws nlohmann::json::exception for what is no Result.
template <class Result>
class ResultJournal {
 public:
  /// UserError when the file cannot be written or another `user` ("sweep") has it. `forget`: starts without earlier
  /// results. Without the name of a file results are kept in memory only.
  ResultJournal(const std::string& file, const char* user, bool forget = false) {
    if (file.empty()) return;
    lines_.emplace(file, user, forget);
    for (const std::string& line : lines_->lines()) read(line);
  }

  /// nullptr: not known.
  const Result* find(const std::string& key) const {
    const auto found = results_.find(key);
    return found == results_.end() ? nullptr : &found->second;
  }
  /// `kind` and `name` tell readers of the file what was computed ("point", "a100 vit_qkv ..."). Not `lasting`: the
  /// next run tries it again.
  void add(const std::string& key, const char* kind, const std::string& name, const Result& result, bool lasting) {
    results_[key] = result;
    if (lasting && lines_) lines_->append(json_text({{"key", key}, {kind, name}, {"result", result.json()}}));
  }

 private:
  void read(const std::string& line) {
    const auto json = parse_json_or_discard(line);
    if (json.is_discarded() || !json.is_object()) return;
    try {
      results_[json.at("key").get<std::string>()] = Result::from_json(json.at("result"));
    } catch (const nlohmann::json::exception&) {
      // Lines of another version are no results of this one.
    }
  }

  std::optional<LineJournal> lines_;
  std::map<std::string, Result> results_;
};

}  // namespace stc::sim
