// SPDX-License-Identifier: Apache-2.0
// Device memory as L2 sees it. The built-in one (hbm.h) knows at once when a read is back; one of the user's own
// (external_memory.h) answers when it likes, and L2's miss table holds the read until then.
#pragma once

#include <cstdint>

#include "models/core/statistics.h"
#include "models/core/time_base.h"
#include "models/isa/state/global_memory.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/miss_table.h"
#include "models/memory/observed.h"

namespace stc::memory {

/// Sectors of one line that L2 reads or writes.
struct DeviceAccess {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;
  DataRole role = DataRole::kOther;
  Tick now = 0;  ///< when the crossbar serves the request that it is for
};

class DeviceMemory : public Observed {
 public:
  virtual ~DeviceMemory() = default;

  /// A read that leaves L2 in `leaves` ticks, or when the longest queue on its way, `waited` ticks, has let it pass; a
  /// memory that has a queue of its own lengthens `waited`. Returns the ticks that the memory adds; sectors of which it
  /// does not know are in misses().
  virtual Tick read(const DeviceAccess& access, Tick leaves, Tick& waited) = 0;
  /// A write, which nobody waits for.
  virtual void write(const DeviceAccess& access, Tick& waited) = 0;
  /// Whether a write of a line would begin at once, or behind three others at the most. One that does not know says no.
  virtual bool takes_at_once(std::uint64_t /*line*/, Tick /*now*/) const { return false; }
  /// Nothing is under way.
  virtual bool idle() const { return true; }
  /// Forgets everything; cycles count from `origin`. Written bytes are read from `values`, if there are any. `params`:
  /// times in cycles of the launch that comes, for a memory that has none of its own.
  virtual void reset(std::uint64_t origin, isa::GlobalMemory* values, const HbmParams& params) = 0;

  MissTable& misses() { return misses_; }
  const MemoryStatistics& statistics() const { return statistics_; }

 protected:
  /// Sectors are read or written for the request that the crossbar serves at `now`.
  void count(DataRole role, std::uint64_t sectors, bool write, Tick now) {
    (write ? statistics_.dram_write_sectors : statistics_.dram_read_sectors) += sectors;
    (write ? statistics_.dram.write : statistics_.dram.read)[static_cast<std::size_t>(role)] += sectors * kSectorBytes;
    if (probe() != nullptr) probe()->dram_access({observed_cycle(now), sectors, write});
  }

  MissTable misses_;
  MemoryStatistics statistics_;
};

}  // namespace stc::memory
