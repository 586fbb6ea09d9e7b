// SPDX-License-Identifier: Apache-2.0
// Models:   which lines of an L2 partition hold stored data that memory does not have yet.
// Evidence: measured/h200/traffic.csv, stored_volumes.csv: stored lines kept; l2.dirty_mib, l2.eager_mib,
//           l2.dirty_at_launch_mib and l2.lines_at_launch_mib of the GPU files. h200/written_back.csv: how many are
//           kept does not depend on how fast they are stored; stores to lines that are stored already and reads, hits
//           or not, have lines written, time alone does not.
// Abstracts: the choice of the line that is written back: the one that was stored to first. That the line which goes
//           next is written ahead is seen in stored_volumes.csv: of 16 MiB stored 11 have gone behind 24 that all SMs
//           read, 8 would if they were written as they go; how much ahead is not.
// Timing:   writing back takes what device memory takes, and of the slice what a request takes; the request on whose behalf
//           it is done waits only where device memory's queue of writes is full, for a line written ahead nobody does.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/core/statistics.h"
#include "models/memory/device_memory.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/sector_cache.h"

namespace stc::memory {

class StoredLines {
 public:
  /// Takes the time of a line's slice, out of which the line goes to memory.
  using ReadSlice = std::function<void(std::uint64_t line, Tick now)>;
  /// `passed_over`: where what is written back in no time is counted.
  StoredLines(const MemoryParams& params, SectorCache& cache, DeviceMemory& memory, MemoryStatistics& passed_over,
              ReadSlice read_slice);

  /// As at a launch: what others read and, before that, stored lies in the cache, which is empty otherwise.
  void reset();
  /// Stores to sectors of a line in the cache; writes back the oldest stored line if there are too many now. `request`
  /// null: in no time.
  void store(CacheLine& entry, std::uint64_t set, std::uint8_t sectors, LineRequest* request);
  /// A line of a set was read, or stored to again: if there are too many stored ones in it, writes the oldest of them.
  void use(std::uint64_t set, LineRequest* request) {
    if (count_ > eager_ && in_set_[set] > eager_in_set_) write_oldest_of(set, request);
  }
  /// Writes the line that its set throws out next, if it has been stored to, while memory is idle. `next` null: there
  /// is none; `request` null: in no time.
  void write_ahead(CacheLine* next, LineRequest* request);
  /// A line has been thrown out and is written nowhere.
  void forget(const CacheLine& victim) {
    if (victim.dirty != 0) drop(cache_.set(victim.line - 1));
  }
  /// Writes what is dirty of `entry` to memory on behalf of a request; null: in no time.
  void write_back(CacheLine& entry, LineRequest* request);

 private:
  void count(std::uint64_t line, std::uint64_t set) {
    ++count_;
    ++in_set_[set];
    order_.push_back(line);
  }
  void drop(std::uint64_t set) {
    --count_;
    --in_set_[set];
  }
  void write_oldest_of(std::uint64_t set, LineRequest* request);
  /// The line that was stored first of those that memory does not have; null: there is none.
  CacheLine* oldest();

  SectorCache& cache_;
  DeviceMemory& memory_;
  MemoryStatistics& passed_over_;
  const ReadSlice read_slice_;
  const int access_bytes_;            ///< of device memory
  const std::uint64_t limit_;         ///< lines
  const std::uint64_t eager_;         ///< lines beyond which some are written before they have to be
  const std::uint64_t eager_in_set_;  ///< those of one set of average use
  const std::uint64_t at_launch_;     ///< lines
  const std::uint64_t of_others_;     ///< lines at a launch, stored ones among them
  std::uint64_t count_ = 0;
  std::vector<std::uint8_t> in_set_;  ///< of them, by set
  std::deque<std::uint64_t> order_;   ///< in the order in which they were first stored; some no longer are dirty
};

}  // namespace stc::memory
