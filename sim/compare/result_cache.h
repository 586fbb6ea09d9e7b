// SPDX-License-Identifier: Apache-2.0
// Results that survive an interrupted run: one line of JSON per task, appended as soon as it is known. The key is a
// hash of everything that a result depends on.
#pragma once

#include <map>
#include <string>

#include "sim/compare/simulate_task.h"
#include "sim/result/result_journal.h"

namespace stc::sim {

class ResultCache : public ResultJournal<TaskResult> {
 public:
  explicit ResultCache(const std::string& file) : ResultJournal(file, "comparison") {}
  void add(const std::string& key, const std::string& name, const TaskResult& result) {
    ResultJournal::add(key, "task", name, result, !result.crashed);
  }
};

/// Hash of the task, the GPU's parameters, the kernel's bytes and this program.
class TaskKeys {
 public:
  explicit TaskKeys(const TaskContext& context) : context_(context) {}
  std::string key(const SimulationTask& task);

 private:
  /// The file that the kernel comes from.
  std::string file_of(const SimulationTask& task, int version) const;
  const std::string& kernel_hash(const std::string& path);

  const TaskContext& context_;
  std::map<std::string, std::string> kernel_hashes_;  // by path
};

}  // namespace stc::sim
