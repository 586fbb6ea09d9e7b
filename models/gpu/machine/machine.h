// SPDX-License-Identifier: Apache-2.0
// One GPU, for whoever runs launches on it. Its modules stand in machine_modules.h, so that SystemC is no matter of its
// users.
#pragma once

#include <memory>

#include "models/gpu/gpu.h"

namespace stc::gpu {

class MachineModules;
struct OwnMemory;

/// One GPU, its caller's own. A process may have several, each with a name; they run one launch at a time, in any
/// order, and none changes a figure of another.
class Machine {
 public:
  /// `name`: of its top module. A machine built for kSteps runs both models of the tensor core, one built for kSchedule
  /// only that. `own_memory`: in place of the built-in HBM.
  /// SystemC builds no module once its simulation has started: all machines of a process are to be built before the
  /// first of them runs. std::logic_error says so when it is too late.
  Machine(const char* name, const GpuParams& params, TensorCoreModel tensor_core = TensorCoreModel::kSchedule,
          const OwnMemory* own_memory = nullptr);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Simulates one launch from idle machine to idle machine. Global memory holds the results afterwards. Also after a
  /// launch that threw (a fault, a deadlock), the machine can run another.
  RunStatistics run(const Launch& launch);
  const GpuParams& params() const;
  /// SMs of the launches that follow may be run side by side by so many threads, in times in which that is faster, or
  /// `always`; by one if this is never called. No result depends on it.
  void use_threads(int threads, bool always = false);
  int threads() const;
  /// In the launches that follow no SM runs ahead of the others, whatever they share. No result depends on it.
  void keep_in_step(bool in_step);

 private:
  std::unique_ptr<MachineModules> modules_;
};

}  // namespace stc::gpu
