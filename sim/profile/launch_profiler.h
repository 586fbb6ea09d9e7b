// SPDX-License-Identifier: Apache-2.0
// Counts what a launch does, instruction by instruction and over time, whatever the number of threads that run it.
//
//   LaunchProfiler profiler(kernel.code.size());
//   launch.probe = &profiler;
//   const gpu::RunStatistics run = machine.run(launch);
//   profiler.fill(profile, run.cycles, machine.params());        // of blank_profile(kernel, ...)
#pragma once

#include <vector>

#include "models/core/probe.h"
#include "sim/profile/instruction_counts.h"
#include "sim/profile/launch_profile.h"
#include "sim/profile/thread_shards.h"
#include "sim/profile/utilisation.h"

namespace stc::sim {

class LaunchProfiler : public Probe {
 public:
  explicit LaunchProfiler(std::size_t instructions);

  bool takes_sms_apart() const override { return true; }
  void issue(const IssueEvent& event) override;
  void stall(const StallEvent& event) override;
  void wavefronts(const WavefrontEvent& event) override;
  void l1_hit(const L1HitEvent& event) override;
  void memory_request(const MemoryEvent& event) override;
  void dram_access(const DramEvent& event) override;

  /// Once the launch has ended, after `cycles`: what it has counted goes to its blank profile.
  void fill(LaunchProfile& profile, std::uint64_t cycles, const gpu::GpuParams& gpu) const;

 private:
  struct Shard {
    std::vector<InstructionCounts> instructions;
    SeriesCounts series;
    void add(const Shard& other);
    InstructionCounts& at(std::uint32_t address);
  };
  ThreadShards<Shard> shards_;
};

}  // namespace stc::sim
