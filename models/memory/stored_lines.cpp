// SPDX-License-Identifier: Apache-2.0
#include "models/memory/stored_lines.h"

#include <algorithm>
#include <utility>

#include "models/memory/address_hash.h"
#include "models/memory/device_access.h"

namespace stc::memory {
namespace {

/// Lines of a partition that make up `mib` MiB of all.
std::uint64_t lines_of(double mib, const L2Params& params) {
  return static_cast<std::uint64_t>(mib * 1024 * 1024 / kLineBytes / params.partitions);
}

constexpr std::uint64_t kLinesOfOthers = std::uint64_t{1} << 50;  // from here to its double no buffer lies

}  // namespace

StoredLines::StoredLines(const MemoryParams& params, SectorCache& cache, DeviceMemory& memory,
                         MemoryStatistics& passed_over, ReadSlice read_slice)
    : cache_(cache),
      memory_(memory),
      passed_over_(passed_over),
      read_slice_(std::move(read_slice)),
      access_bytes_(params.hbm.access_bytes),
      limit_(lines_of(params.l2.dirty_mib, params.l2)),
      eager_(lines_of(params.l2.eager_mib, params.l2)),
      eager_in_set_(static_cast<std::uint64_t>(params.l2.ways * params.l2.eager_mib / params.l2.capacity_mib)),
      at_launch_(lines_of(params.l2.dirty_at_launch_mib, params.l2)),
      of_others_(std::max(at_launch_, lines_of(params.l2.lines_at_launch_mib, params.l2))),
      in_set_(static_cast<std::size_t>(cache.sets())) {}

void StoredLines::reset() {
  order_.clear();
  in_set_.assign(static_cast<std::size_t>(cache_.sets()), 0);
  count_ = 0;
  for (std::uint64_t i = 0; i < of_others_; ++i) {
    const std::uint64_t line = kLinesOfOthers + mix(i) % kLinesOfOthers;
    CacheLine victim;
    CacheLine& entry = cache_.allocate(line, victim);
    entry.valid = kAllSectors;
    entry.role = static_cast<std::uint8_t>(DataRole::kOther);
    forget(victim);
    if (i >= at_launch_) continue;
    entry.dirty = kAllSectors;
    count(line, cache_.set(line));
  }
}

void StoredLines::store(CacheLine& entry, std::uint64_t set, std::uint8_t sectors, LineRequest* request) {
  const bool was_clean = entry.dirty == 0;
  entry.dirty |= sectors;
  if (!was_clean) return use(set, request);
  count(entry.line - 1, set);
  while (count_ > limit_) {
    CacheLine* const first = oldest();
    if (first == nullptr) break;
    write_back(*first, request);
  }
}

void StoredLines::write_oldest_of(std::uint64_t set, LineRequest* request) {
  CacheLine* const first = cache_.oldest_dirty(set);
  if (first != nullptr) write_back(*first, request);
}

CacheLine* StoredLines::oldest() {
  for (; !order_.empty(); order_.pop_front()) {
    CacheLine* const line = cache_.peek(order_.front());
    if (line != nullptr && line->dirty != 0) return line;
  }
  return nullptr;
}

void StoredLines::write_ahead(CacheLine* next, LineRequest* request) {
  if (next == nullptr || next->dirty == 0) return;
  if (request == nullptr) return write_back(*next, nullptr);
  if (!memory_.takes_at_once(next->line - 1, request->now)) return;
  LineRequest nobody(*request);
  write_back(*next, &nobody);
}

void StoredLines::write_back(CacheLine& entry, LineRequest* request) {
  const auto role = static_cast<DataRole>(entry.role);
  if (request != nullptr) {
    read_slice_(entry.line - 1, request->now);
    memory_.write({entry.line - 1, entry.dirty, role, request->now}, request->waited);
  } else {
    const int bytes = device_accesses(entry.dirty, access_bytes_) * access_bytes_;
    passed_over_.dram_write_sectors += static_cast<std::uint64_t>(bytes) / kSectorBytes;
    passed_over_.dram.write[static_cast<std::size_t>(role)] += static_cast<std::uint64_t>(bytes);
  }
  entry.dirty = 0;
  drop(cache_.set(entry.line - 1));
}

}  // namespace stc::memory
