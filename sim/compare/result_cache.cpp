// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/result_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"

namespace stc::sim {

ResultCache::ResultCache(const std::string& file) {
  if (file.empty()) return;
  require_writable(file);
  std::filesystem::create_directories(folder_of(file));
  std::size_t whole = 0;
  if (std::filesystem::exists(file)) {
    std::string text = read_text(file);
    whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    text.resize(whole);
    read(text);
    std::filesystem::resize_file(file, whole);
  }
  stream_ = std::fopen(file.c_str(), "ab");
  if (stream_ == nullptr) throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
}

ResultCache::~ResultCache() {
  if (stream_ != nullptr) std::fclose(stream_);
}

void ResultCache::read(const std::string& text) {
  for (const std::string& line : split(text, '\n')) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.contains("key") || !json.contains("result")) continue;
    results_[json["key"].get<std::string>()] = TaskResult::from_json(json["result"]);
  }
}

std::optional<TaskResult> ResultCache::find(const std::string& key) const {
  const auto found = results_.find(key);
  if (found == results_.end()) return std::nullopt;
  return found->second;
}

void ResultCache::add(const std::string& key, const std::string& name, const TaskResult& result) {
  results_[key] = result;
  if (stream_ == nullptr || result.crashed) return;
  const nlohmann::ordered_json json = {{"key", key}, {"task", name}, {"result", result.json()}};
  fmt::print(stream_, "{}\n", json.dump());
  std::fflush(stream_);
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

std::string TaskKeys::key(const SimulationTask& task) {
  const int version = context_.gpu.params.sm_version;
  const std::string path = task.kind == SimulationTask::Kind::kMicro
                               ? micro_cubin_path(context_.micro_folder, version, task.micro.cubin)
                               : context_.manifest.find(task.kernel)->cubins.at(version);
  const std::string all = fmt::format("{}|{}|{}|{}", task.name(), context_.gpu.hash, kernel_hash(path), program_hash_);
  return content_hash(all.data(), all.size());
}

}  // namespace stc::sim
