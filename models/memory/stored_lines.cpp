// SPDX-License-Identifier: Apache-2.0
#include "models/memory/stored_lines.h"

namespace stc::memory {
namespace {

/// Lines of a partition that make up `mib` MiB of all.
std::uint64_t lines_of(double mib, const L2Params& params) {
  return static_cast<std::uint64_t>(mib * 1024 * 1024 / kLineBytes / params.partitions);
}

constexpr std::uint64_t kLinesOfOthers = std::uint64_t{1} << 50;  // no buffer lies there

}  // namespace

StoredLines::StoredLines(const L2Params& params, SectorCache& cache, DeviceMemory& memory)
    : cache_(cache),
      memory_(memory),
      limit_(lines_of(params.dirty_mib, params)),
      at_launch_(lines_of(params.dirty_at_launch_mib, params)) {}

void StoredLines::reset() {
  order_.clear();
  count_ = at_launch_;
  for (std::uint64_t line = kLinesOfOthers; line < kLinesOfOthers + count_; ++line) {
    CacheLine victim;
    CacheLine& entry = cache_.allocate(line, victim);
    entry.valid = entry.dirty = kAllSectors;
    entry.role = static_cast<std::uint8_t>(DataRole::kOther);
    order_.push_back(line);
  }
}

void StoredLines::store(CacheLine& entry, std::uint64_t line, LineRequest& request) {
  const bool was_clean = entry.dirty == 0;
  entry.dirty |= request.sectors;
  if (was_clean) keep(line, request);
}

void StoredLines::keep(std::uint64_t line, LineRequest& request) {
  ++count_;
  order_.push_back(line);
  while (count_ > limit_ && !order_.empty()) {
    CacheLine* oldest = cache_.peek(order_.front());
    order_.pop_front();
    if (oldest != nullptr && oldest->dirty != 0) write_back(*oldest, request);
  }
}

void StoredLines::write_back(CacheLine& entry, LineRequest& request) {
  memory_.write({entry.line - 1, entry.dirty, static_cast<DataRole>(entry.role)}, request.waited);
  entry.dirty = 0;
  --count_;
}

}  // namespace stc::memory
