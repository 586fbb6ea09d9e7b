// SPDX-License-Identifier: Apache-2.0
// How much of each resource of the GPU a launch used over time.
//
//   UtilisationSeries series = ...;                              // sim/profile/launch_profiler.h
//   series.fraction(Resource::kTensor, bucket)                   // 0 to 1, of all SMs
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/probe.h"
#include "models/gpu/gpu_params.h"

namespace stc::sim {

/// L1: sectors that it had. Shared memory: wavefronts when their instructions are issued, copies included.
enum class Resource : std::uint8_t { kTensor, kIssue, kShared, kL1, kL2Read, kL2Write, kDram, kCount };
constexpr std::size_t kSeriesResources = static_cast<std::size_t>(Resource::kCount);
const char* name_of(Resource resource);     ///< key in a profile
const char* unit_of(Resource resource);     ///< of what is counted
const char* meaning_of(Resource resource);  ///< a sentence

/// So many units of a resource in a cycle.
struct ResourceUse {
  Resource resource = Resource::kIssue;
  std::uint64_t cycle = 0;
  std::uint64_t units = 0;
};
/// What an event uses beside the tensor cores' time of an issue.
inline ResourceUse use_of(const IssueEvent& event) { return {Resource::kIssue, event.cycle, 1}; }
inline ResourceUse use_of(const WavefrontEvent& event) {
  return {Resource::kShared, event.cycle, event.shared + event.copies};
}
inline ResourceUse use_of(const L1HitEvent& event) {
  return {Resource::kL1, event.cycle, static_cast<std::uint64_t>(event.sectors)};
}
inline ResourceUse use_of(const MemoryEvent& event) {
  return {event.write ? Resource::kL2Write : Resource::kL2Read, event.cycle, static_cast<std::uint64_t>(event.sectors)};
}
inline ResourceUse use_of(const DramEvent& event) { return {Resource::kDram, event.cycle, event.sectors}; }

/// What the whole GPU can give in a cycle, in units of the resource.
std::array<double, kSeriesResources> offered_per_cycle(const gpu::GpuParams& gpu);

/// Sums over buckets of as many cycles, from the launch's beginning on.
struct UtilisationSeries {
  std::uint64_t bucket_cycles = 1;
  std::array<std::vector<std::uint64_t>, kSeriesResources> used;  ///< by Resource, then by bucket; all as long
  std::array<double, kSeriesResources> per_cycle{};               ///< what the GPU offers

  std::size_t buckets() const { return used[0].size(); }
  std::uint64_t total(Resource resource) const;
  /// Share of what the GPU offers in a bucket that was used.
  double fraction(Resource resource, std::size_t bucket) const;
};

/// Counts into buckets that get wider as time goes on, from 16 cycles on, so that there are never too many.
class SeriesCounts {
 public:
  static constexpr std::size_t kMostBuckets = 256;

  explicit SeriesCounts(std::size_t most_buckets = kMostBuckets) : used_(most_buckets) {}
  void count(const ResourceUse& use) {
    std::uint64_t bucket = use.cycle >> shift_;
    if (bucket >= used_.size()) {
      widen(use.cycle);
      bucket = use.cycle >> shift_;
    }
    used_[bucket][static_cast<std::size_t>(use.resource)] += use.units;
  }
  /// One unit a cycle, from `begin` on.
  void count_span(Resource resource, std::uint64_t begin, std::uint64_t cycles);
  /// `other` may have as many buckets.
  void add(const SeriesCounts& other);
  /// As long as needed for `cycles` and for all that was counted.
  UtilisationSeries series(std::uint64_t cycles, const std::array<double, kSeriesResources>& per_cycle) const;

 private:
  void widen(std::uint64_t cycle);

  unsigned shift_ = 4;
  std::vector<std::array<std::uint64_t, kSeriesResources>> used_;
};

}  // namespace stc::sim
