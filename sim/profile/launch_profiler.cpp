// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/launch_profiler.h"

#include "models/isa/instruction.h"

namespace stc::sim {

LaunchProfiler::LaunchProfiler(std::size_t instructions)
    : shards_(Shard{std::vector<InstructionCounts>(instructions), SeriesCounts()}) {}

void LaunchProfiler::Shard::add(const Shard& other) {
  for (std::size_t i = 0; i < instructions.size(); ++i) instructions[i].add(other.instructions[i]);
  series.add(other.series);
}

InstructionCounts& LaunchProfiler::Shard::at(std::uint32_t address) {
  return instructions[address / isa::kInstructionBytes];
}

void LaunchProfiler::fill(LaunchProfile& profile, std::uint64_t cycles, const gpu::GpuParams& gpu) const {
  const Shard all = shards_.sum();
  for (std::size_t i = 0; i < profile.instructions.size(); ++i) profile.instructions[i].counts = all.instructions[i];
  profile.cycles = cycles;
  profile.series = all.series.series(cycles, offered_per_cycle(gpu));
}

void LaunchProfiler::issue(const IssueEvent& event) {
  Shard& shard = shards_.mine();
  InstructionCounts& counts = shard.at(event.address);
  ++counts.warp_executions;
  counts.thread_executions += static_cast<std::uint64_t>(__builtin_popcount(event.lanes));
  shard.series.count(use_of(event));
  if (event.tensor_cycles == 0) return;
  const auto busy = static_cast<std::uint64_t>(event.tensor_cycles);
  counts.tensor_cycles += busy;
  shard.series.count_span(Resource::kTensor, event.cycle, busy);
}

void LaunchProfiler::stall(const StallEvent& event) {
  shards_.mine().at(event.address).stalls[static_cast<std::size_t>(event.reason)] += event.end - event.begin;
}

void LaunchProfiler::wavefronts(const WavefrontEvent& event) {
  Shard& shard = shards_.mine();
  InstructionCounts& counts = shard.at(event.address);
  counts.shared_wavefronts += event.shared;
  counts.copy_wavefronts += event.copies;
  counts.conflict_wavefronts += event.conflicts;
  shard.series.count(use_of(event));
}

void LaunchProfiler::l1_hit(const L1HitEvent& event) {
  Shard& shard = shards_.mine();
  shard.at(event.instruction).l1_hit_sectors += static_cast<std::uint64_t>(event.sectors);
  shard.series.count(use_of(event));
}

void LaunchProfiler::memory_request(const MemoryEvent& event) {
  Shard& shard = shards_.mine();
  InstructionCounts& counts = shard.at(event.instruction);
  ++counts.l2_requests;
  (event.write ? counts.l2_write_sectors : counts.l2_read_sectors) += static_cast<std::uint64_t>(event.sectors);
  shard.series.count(use_of(event));
}

void LaunchProfiler::dram_access(const DramEvent& event) { shards_.mine().series.count(use_of(event)); }

}  // namespace stc::sim
