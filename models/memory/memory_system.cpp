// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system.h"

#include <fmt/format.h>

#include <utility>

namespace stc::memory {

MemorySystem::MemorySystem(const MemoryParams& params, const std::vector<int>& gpc_of_sm,
                           std::unique_ptr<DeviceMemory> device_memory)
    : params_(params),
      places_(params.l2),
      crossbar_("crossbar", gpc_of_sm, places_, params),
      device_memory_(std::move(device_memory)),
      atomic_units_(params.l2) {
  for (int i = 0; i < params.l2.partitions; ++i) {
    const std::string name = fmt::format("l2_partition{}", i);
    partitions_.push_back(
        std::make_unique<L2Partition>(name.c_str(), i, params, places_, *device_memory_, atomic_units_));
  }
  std::vector<L2Partition*> all;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    partitions_[p]->connect(*partitions_[(p + 1) % partitions_.size()]);
    all.push_back(partitions_[p].get());
  }
  crossbar_.connect(all);
}

void MemorySystem::expect_pass(std::uint64_t line, bool now) {
  const std::uint64_t set = l2_set(line);
  for (auto& partition : partitions_) {
    if (now) {
      partition->expect_line(line, set);
    } else {
      partition->expect(set);
    }
  }
}

void MemorySystem::reset(std::uint64_t origin, bool keep_l2, isa::GlobalMemory* values, const MemoryParams& params) {
  crossbar_.reset(origin, params);
  device_memory_->reset(origin, values, params.hbm);
  atomic_units_.reset(values, params.l2);
  places_.lay_out(values);
  for (auto& partition : partitions_) partition->reset(keep_l2, params);
}

void MemorySystem::observe(Probe* probe, std::uint64_t origin) {
  device_memory_->observe(probe, origin);
  for (auto& partition : partitions_) partition->observe(probe, origin);
}

void MemorySystem::warm_l2(const isa::GlobalMemory& values) {
  for (const isa::Allocation& allocation : values.allocations()) {
    const std::uint64_t first = allocation.address / kLineBytes;
    const std::uint64_t last = (allocation.address + allocation.bytes - 1) / kLineBytes;
    for (std::uint64_t line = first; allocation.bytes != 0 && line <= last; ++line) {
      const int home = places_.home(line);
      for (int p = 0; p < params_.l2.partitions; ++p) {
        const bool holds = p == home || params_.l2.replicate_far_lines;
        const bool stored = p == home && allocation.role == DataRole::kOutput;
        if (holds) partition(p).touch(line, allocation.role, stored);
      }
    }
  }
}

void MemorySystem::pass_read(std::uint64_t line, std::uint8_t sectors, DataRole role, bool whole_line,
                             std::uint8_t partitions, std::uint64_t times) {
  const int home = places_.home(line);
  for (int p = 0; p < params_.l2.partitions; ++p) {
    if ((partitions >> static_cast<unsigned>(p) & 1) == 0) continue;
    std::uint8_t wanted = sectors;
    if (p != home && params_.l2.replicate_far_lines)
      wanted = partition(p).pass_read(line, sectors, role, whole_line, times);
    if (wanted != 0) partition(home).pass_read(line, wanted, role, whole_line, times);
  }
}

void MemorySystem::pass_write(std::uint64_t line, std::uint8_t sectors, DataRole role, std::uint8_t partitions) {
  const int home = places_.home(line);
  partition(home).pass_write(line, sectors, role, true);
  for (int p = 0; params_.l2.replicate_far_lines && p < params_.l2.partitions; ++p) {
    if (p != home && (partitions >> static_cast<unsigned>(p) & 1) != 0)
      partition(p).pass_write(line, sectors, role, false);
  }
}

MemoryStatistics MemorySystem::passed_over() const {
  MemoryStatistics all;
  for (const auto& partition : partitions_) all.add(partition->passed_over());
  return all;
}

MemoryStatistics MemorySystem::statistics() const {
  MemoryStatistics all;
  for (const auto& partition : partitions_) all.add(partition->statistics());
  all.add(device_memory_->statistics());
  all.coalesced_sectors = crossbar_.coalesced_sectors();
  return all;
}

}  // namespace stc::memory
