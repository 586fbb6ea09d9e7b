// SPDX-License-Identifier: Apache-2.0
// Results that later runs of the program can use: a file in $STC_CACHE (default: $XDG_CACHE_HOME/stcsim, else
// ~/.cache/stcsim). Other programs read and write it too, so it is opened for a moment only. Whatever stands in the way
// of remembering does not stand in the way of the work; it is said once.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sim/base/error.h"
#include "sim/result/result_journal.h"

namespace stc::sim {

/// The path of a file of that name; empty where the user has no folder for it.
std::string remembered_file(const char* name);

/// Says on standard error, once, why results are neither found nor kept.
void say_not_remembered(const std::string& reason) noexcept;

/// Result: as a ResultJournal's.
template <class Result>
class Remembered {
 public:
  /// `name` of the file; `what` it keeps, for messages.
  Remembered(const char* name, const char* what) : file_(remembered_file(name)), what_(what) {}

  std::optional<Result> find(const std::string& key) const {
    std::optional<Result> known;
    use([&](const ResultJournal<Result>& journal) {
      if (const Result* found = journal.find(key)) known = *found;
    });
    return known;
  }
  /// `kind` and `name`: as ResultJournal::add has them.
  void add(const std::string& key, const char* kind, const std::string& name, const Result& result) const {
    use([&](ResultJournal<Result>& journal) { journal.add(key, kind, name, result, true); });
  }
  /// Calls `use_journal` with all that is known.
  template <class Use>
  void use(const Use& use_journal) const {
    try {
      ResultJournal<Result> journal(file_, what_);
      use_journal(journal);
    } catch (const UserError& error) {
      say_not_remembered(error.what());
    }
  }

 private:
  std::string file_;
  const char* what_;
};

}  // namespace stc::sim
