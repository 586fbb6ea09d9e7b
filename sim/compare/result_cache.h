// SPDX-License-Identifier: Apache-2.0
// Results that survive an interrupted run: one line of JSON per task, appended as soon as it is known. The key is a
// hash of everything that a result depends on.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/base/line_journal.h"
#include "sim/compare/simulate_task.h"

namespace stc::sim {

class ResultCache {
 public:
  /// UserError when the file cannot be written or another comparison has it. An empty name keeps results in memory
  /// only.
  explicit ResultCache(const std::string& file);

  std::optional<TaskResult> find(const std::string& key) const;
  void add(const std::string& key, const std::string& name, const TaskResult& result);

 private:
  void read(const std::string& line);

  std::map<std::string, TaskResult> results_;
  std::optional<LineJournal> lines_;
};

/// Hash of the task, the GPU's parameters, the kernel's bytes and this program.
class TaskKeys {
 public:
  explicit TaskKeys(const TaskContext& context);
  std::string key(const SimulationTask& task);

 private:
  /// The file that the kernel comes from.
  std::string file_of(const SimulationTask& task, int version) const;
  std::string kernel_hash(const std::string& path);

  const TaskContext& context_;
  std::string program_hash_;
  std::map<std::string, std::string> kernel_hashes_;  // by path
};

}  // namespace stc::sim
