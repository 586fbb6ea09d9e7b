// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sector_cache.h"

#include <algorithm>

namespace stc::memory {

SectorCache::SectorCache(std::uint64_t bytes, int ways, Placement placement)
    : ways_(ways),
      placement_(placement),
      sets_(std::max<std::uint64_t>(1, bytes / kLineBytes / static_cast<std::uint64_t>(ways))),
      lines_(sets_ * static_cast<std::uint64_t>(ways)) {}

CacheLine* SectorCache::set_with(std::uint64_t line) {
  return &lines_[set_of(line, sets_, placement_) * static_cast<std::uint64_t>(ways_)];
}

CacheLine* SectorCache::peek(std::uint64_t line) {
  if (lines_.empty()) return nullptr;
  CacheLine* set = set_with(line);
  for (int way = 0; way < ways_; ++way) {
    if (set[way].line == line + 1) return &set[way];
  }
  return nullptr;
}

CacheLine* SectorCache::find(std::uint64_t line) {
  CacheLine* entry = peek(line);
  if (entry != nullptr) entry->stamp = ++clock_;
  return entry;
}

CacheLine& SectorCache::allocate(std::uint64_t line, CacheLine& victim) {
  CacheLine* set = set_with(line);
  CacheLine* chosen = set;
  for (int way = 0; way < ways_; ++way) {
    if (set[way].line == 0) {
      chosen = &set[way];
      break;
    }
    if (set[way].stamp < chosen->stamp) chosen = &set[way];
  }
  victim = *chosen;
  *chosen = CacheLine{};
  chosen->line = line + 1;
  chosen->stamp = ++clock_;
  return *chosen;
}

void SectorCache::invalidate(std::uint64_t line) {
  CacheLine* entry = find(line);
  if (entry != nullptr) *entry = CacheLine{};
}

void SectorCache::clear() {
  std::fill(lines_.begin(), lines_.end(), CacheLine{});
  clock_ = 0;
}

}  // namespace stc::memory
