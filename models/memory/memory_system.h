// SPDX-License-Identifier: Apache-2.0
// Models:   all behind the SMs: the crossbar, the L2 partitions, device memory.
// Evidence: see the parts.
// Abstracts: see the parts.
// Timing:   see the parts.
#pragma once

#include <memory>
#include <vector>

#include "models/memory/crossbar.h"
#include "models/memory/device_memory.h"
#include "models/memory/l2_partition.h"
#include "models/memory/line_places.h"

namespace stc::memory {

/// To be built within the constructor of the module whose parts they are to be.
class MemorySystem {
 public:
  /// `gpc_of_sm` has an entry per SM.
  MemorySystem(const MemoryParams& params, const std::vector<int>& gpc_of_sm,
               std::unique_ptr<DeviceMemory> device_memory);

  /// Where the port of an SM sends its requests.
  Crossbar& crossbar() { return crossbar_; }
  /// Forgets what was counted and is under way; cycles count from `origin`. `keep_l2`: L2 holds what it held. Bytes
  /// that are written to device memory are read from `values`. `params`: those it was built with, in cycles of the
  /// launch that comes (memory_clock.h).
  void reset(std::uint64_t origin, bool keep_l2, isa::GlobalMemory* values, const MemoryParams& params);
  /// `probe` is told of what L2 and device memory do from now on, cycles from `origin`; null: nobody is.
  void observe(Probe* probe, std::uint64_t origin);
  /// L2 holds all buffers, as if they had been read in their order, outputs as if they had been stored.
  void warm_l2(const isa::GlobalMemory& values);
  /// Does to L2's tags what an access of SMs attached to `partitions` (bits) does, in no time; what a read brings
  /// counts `times`.
  void pass_read(std::uint64_t line, std::uint8_t sectors, DataRole role, bool whole_line, std::uint8_t partitions,
                 std::uint64_t times);
  void pass_write(std::uint64_t line, std::uint8_t sectors, DataRole role, std::uint8_t partitions);
  /// Such an access will come soon, or sooner (`now`). Changes nothing but how soon it is done in real time.
  void expect_pass(std::uint64_t line, bool now);
  /// Of lines that share a set of L2, all have the same number here.
  std::uint64_t l2_set(std::uint64_t line) const { return partitions_.front()->set(line); }
  /// Lines that all of L2 holds.
  std::uint64_t l2_lines() const { return partitions_.size() * partitions_.front()->capacity(); }
  /// What those did since the last reset: misses, and traffic of device memory, which had none of it in its time.
  MemoryStatistics passed_over() const;
  /// Whether device memory has answered all that it was asked.
  bool idle() const { return device_memory_->idle(); }
  MemoryStatistics statistics() const;
  /// When L2 has what has been stored so far, from `origin` on.
  Tick stored_by() const { return crossbar_.stored_by(); }

 private:
  L2Partition& partition(int index) { return *partitions_[static_cast<std::size_t>(index)]; }

  const MemoryParams params_;
  LinePlaces places_;
  Crossbar crossbar_;
  std::unique_ptr<DeviceMemory> device_memory_;
  AtomicUnits atomic_units_;
  std::vector<std::unique_ptr<L2Partition>> partitions_;
};

}  // namespace stc::memory
