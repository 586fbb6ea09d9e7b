// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/result_cache.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/simulate_foreign.h"

namespace stc::sim {

ResultCache::ResultCache(const std::string& file) {
  if (file.empty()) return;
  lines_.emplace(file, "comparison");
  for (const std::string& line : lines_->lines()) read(line);
}

void ResultCache::read(const std::string& line) {
  const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return;
  try {
    results_[json.at("key").get<std::string>()] = TaskResult::from_json(json.at("result"));
  } catch (const nlohmann::json::exception&) {
    // Lines of another version are no results of this one.
  }
}

std::optional<TaskResult> ResultCache::find(const std::string& key) const {
  const auto found = results_.find(key);
  if (found == results_.end()) return std::nullopt;
  return found->second;
}

void ResultCache::add(const std::string& key, const std::string& name, const TaskResult& result) {
  results_[key] = result;
  if (lines_ && !result.crashed) lines_->append(json_text({{"key", key}, {"task", name}, {"result", result.json()}}));
}

TaskKeys::TaskKeys(const TaskContext& context) : context_(context) {
  const std::vector<std::uint8_t> program = read_bytes("/proc/self/exe");
  program_hash_ = content_hash(program.data(), program.size());
}

std::string TaskKeys::kernel_hash(const std::string& path) {
  std::string& hash = kernel_hashes_[path];
  if (hash.empty()) {
    const std::vector<std::uint8_t> bytes = read_bytes(path);
    hash = content_hash(bytes.data(), bytes.size());
  }
  return hash;
}

std::string TaskKeys::file_of(const SimulationTask& task, int version) const {
  switch (task.kind) {
    case SimulationTask::Kind::kForeign: return outcome_file_of(task.foreign);
    case SimulationTask::Kind::kMicro: return micro_cubin_path(context_.micro_folder, version, task.micro.cubin);
    case SimulationTask::Kind::kConvolution: return task.convolution.gemm.cubins.at(version);
    default: return context_.manifest.find(task.kernel)->cubins.at(version);
  }
}

std::string TaskKeys::key(const SimulationTask& task) {
  const int version = context_.gpu.params.sm_version;
  const std::string path = file_of(task, version);
  const std::string all = fmt::format("{}|{}|{}|{}", task.name(), context_.gpu.hash, kernel_hash(path), program_hash_);
  return content_hash(all.data(), all.size());
}

}  // namespace stc::sim
