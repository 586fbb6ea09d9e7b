// SPDX-License-Identifier: Apache-2.0
// The simulated GPUs of a worker process. They run with its share of the processors.
#pragma once

#include <memory>
#include <vector>

namespace stc::gpu {
class Machine;
struct GpuParams;
}  // namespace stc::gpu

namespace stc::sim {

class WorkerMachines {
 public:
  /// Each of `gpus` has its `config`; they outlive this.
  template <class Gpus>
  explicit WorkerMachines(const Gpus& gpus) : WorkerMachines() {
    for (const auto& gpu : gpus) gpus_.push_back(&gpu.config.params);
  }
  ~WorkerMachines();
  WorkerMachines(const WorkerMachines&) = delete;
  WorkerMachines& operator=(const WorkerMachines&) = delete;

  /// The first call, which is the process's own, builds all of them: none can be built once one has run.
  gpu::Machine& operator[](std::size_t gpu);

 private:
  WorkerMachines();
  std::vector<const gpu::GpuParams*> gpus_;
  std::vector<std::unique_ptr<gpu::Machine>> machines_;
};

}  // namespace stc::sim
