// SPDX-License-Identifier: Apache-2.0
// Models:   the modules of one GPU and their sockets: SMs, CTA dispatcher, crossbar, L2 partitions, device memory.
// Evidence: see the parts.
// Abstracts: see the parts.
// Timing:   one launch at a time; SystemC time, which all machines of a process share, goes on from launch to launch.
#pragma once

#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/gpu/machine/cta_dispatcher.h"
#include "models/gpu/machine/launch_runner.h"
#include "models/gpu/machine/own_memory.h"
#include "models/gpu/machine/sm_team.h"
#include "models/memory/memory_system.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class Sampler;

/// What a Machine holds; its members are said there.
class MachineModules : public sc_core::sc_module {
 public:
  MachineModules(sc_core::sc_module_name name, const GpuParams& params, TensorCoreModel tensor_core,
                 const OwnMemory* own_memory);

  RunStatistics run(const Launch& launch);
  const GpuParams& params() const { return params_; }
  void use_threads(int threads, bool always) {
    threads_ = threads;
    always_ = always;
  }
  int threads() const { return threads_; }
  void keep_in_step(bool in_step) { in_step_ = in_step; }

 private:
  void connect();
  /// Fills in what the parts of the machine are to know of the launch.
  void prepare(const Launch& launch, const Occupancy& fit);
  const dependence::KernelUses* dependences_of(const Launch& launch);
  const isa::UnusedData* unused_of(const Launch& launch);
  bool computes_in_steps(const LaunchOptions& options) const;
  void reset(const Launch& launch);
  /// A launch of which only a part is simulated.
  RunStatistics run_sampled(const Launch& launch, const Occupancy& fit);
  RunStatistics run_sampled_with_values(const Launch& launch);
  bool shares_more(const Launch& launch) const;

  const GpuParams params_;
  const TensorCoreModel tensor_core_;
  const arith::Numerics numerics_;
  std::vector<std::unique_ptr<sm::StreamingMultiprocessor>> sms_;
  SmTeam team_;
  memory::MemorySystem memory_;
  CtaDispatcher dispatcher_;
  const bool own_memory_;
  LaunchRunner runner_;

  std::vector<sm::IssueInfo> infos_;
  std::optional<dependence::KernelUses> dependences_;
  std::optional<isa::UnusedData> unused_;
  sm::LaunchContext context_;
  Probe* probe_ = nullptr;
  int threads_ = 1;
  bool always_ = false;
  bool in_step_ = false;
  isa::StoredBuffers stored_;
  std::vector<CtaRecord> records_;
  Sampler* sampler_ = nullptr;  ///< of the launch that runs
};

}  // namespace stc::gpu
