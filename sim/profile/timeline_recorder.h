// SPDX-License-Identifier: Apache-2.0
// Records the timeline of a launch, whatever the number of threads that run it.
#pragma once

#include <vector>

#include "models/core/probe.h"
#include "models/gpu/run_statistics.h"
#include "models/isa/state/kernel.h"
#include "sim/profile/thread_shards.h"
#include "sim/profile/timeline.h"

namespace stc::sim {

class TimelineRecorder : public Probe {
 public:
  static constexpr std::size_t kMostTimelineBuckets = 2048;

  TimelineRecorder(const TimelineChoice& choice, int sms_of_gpu);

  bool takes_sms_apart() const override { return true; }
  void issue(const IssueEvent& event) override;
  void stall(const StallEvent& event) override;
  void wavefronts(const WavefrontEvent& event) override;
  void l1_hit(const L1HitEvent& event) override;
  void memory_request(const MemoryEvent& event) override;
  void dram_access(const DramEvent& event) override;

  /// Once the launch has ended.
  LaunchTimeline timeline(const isa::Kernel& kernel, const std::string& title, const gpu::RunStatistics& run,
                          const gpu::GpuParams& gpu) const;

 private:
  void count(ResourceUse use);

  const TimelineChoice choice_;
  const std::size_t most_spans_;              ///< of an SM
  std::vector<int> place_of_sm_;              ///< in spans_; -1: not chosen
  std::vector<std::vector<WarpSpan>> spans_;  ///< by chosen SM
  std::vector<std::uint64_t> seen_until_;     ///< by chosen SM
  ThreadShards<SeriesCounts> series_;
};

}  // namespace stc::sim
