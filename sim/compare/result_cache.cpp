// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/result_cache.h"

#include <fmt/format.h>

#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/simulate_foreign.h"

namespace stc::sim {

const std::string& TaskKeys::kernel_hash(const std::string& path) {
  std::string& hash = kernel_hashes_[path];
  if (hash.empty()) hash = file_hash(path);
  return hash;
}

std::string TaskKeys::file_of(const SimulationTask& task, int version) const {
  switch (task.kind) {
    case SimulationTask::Kind::kForeign: return outcome_file_of(task.foreign);
    case SimulationTask::Kind::kMicro: return micro_cubin_path(context_.micro_folder, version, task.micro.cubin);
    case SimulationTask::Kind::kSpmm: return task.spmm.cubins.at(version);
    case SimulationTask::Kind::kConvolution: return task.convolution.gemm.cubins.at(version);
    default: return context_.manifest.find(task.kernel)->cubins.at(version);
  }
}

std::string TaskKeys::key(const SimulationTask& task) {
  const int version = context_.gpu.params.sm_version;
  const std::string path = file_of(task, version);
  const std::string all = fmt::format("{}|{}|{}|{}", task.name(), context_.gpu.hash, kernel_hash(path), program_hash());
  return content_hash(all.data(), all.size());
}

}  // namespace stc::sim
