// SPDX-License-Identifier: Apache-2.0
#include "sim/run/worker_machines.h"

#include <fmt/format.h>

#include "models/gpu/machine/machine.h"
#include "sim/base/worker_pool.h"

namespace stc::sim {

WorkerMachines::WorkerMachines() = default;
WorkerMachines::~WorkerMachines() = default;

gpu::Machine& WorkerMachines::operator[](std::size_t gpu) {
  while (machines_.size() < gpus_.size()) {
    const std::string name = fmt::format("gpu{}", machines_.size());
    machines_.push_back(std::make_unique<gpu::Machine>(name.c_str(), *gpus_[machines_.size()]));
    machines_.back()->use_threads(processor_share());
  }
  return *machines_[gpu];
}

}  // namespace stc::sim
