// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sector_cache.h"

#include <algorithm>
#include <new>

namespace stc::memory {
namespace {

constexpr std::size_t kTagsAtATime = 8;

/// The low bits of a line's number; 0: empty. Two lines may have the same.
std::uint32_t tag_of(std::uint64_t line) {
  const auto low = static_cast<std::uint32_t>(line + 1);
  return low == 0 ? 1 : low;
}

}  // namespace

void SectorCache::Release::operator()(CacheLine* lines) const { ::operator delete(lines); }

SectorCache::SectorCache(std::uint64_t bytes, int ways, Placement placement)
    : ways_(static_cast<std::size_t>(ways)),
      stride_((ways_ + kTagsAtATime - 1) / kTagsAtATime * kTagsAtATime),
      placement_(placement),
      sets_(std::max<std::uint64_t>(1, bytes / kLineBytes / static_cast<std::uint64_t>(ways))),
      tags_(sets_ * stride_),
      stamps_(tags_.size()),
      // Not written before a line comes there: most of a large cache is never used.
      lines_(static_cast<CacheLine*>(::operator new(tags_.size() * sizeof(CacheLine)))) {}

std::size_t SectorCache::search(std::uint64_t line) const {
  const std::size_t first = first_of_set(line);
  const std::uint32_t tag = tag_of(line);
  const std::uint32_t* const tags = &tags_[first];
  for (std::size_t from = 0; from < stride_; from += kTagsAtATime) {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < kTagsAtATime; ++i) any |= tags[from + i] == tag ? 1u : 0u;
    if (any == 0) continue;
    for (std::size_t way = from; way < from + kTagsAtATime; ++way) {
      if (tags[way] == tag && lines_[first + way].line == line + 1) return first + way;
    }
  }
  return kNowhere;
}

CacheLine& SectorCache::allocate(std::uint64_t line, CacheLine& victim) {
  const std::size_t first = first_of_set(line);
  std::size_t chosen = first;
  for (std::size_t place = first; place < first + ways_; ++place) {
    if (tags_[place] == 0) {
      chosen = place;
      break;
    }
    if (stamps_[place] < stamps_[chosen]) chosen = place;
  }
  victim = CacheLine{};
  if (tags_[chosen] != 0) {
    victim = lines_[chosen];
  } else {
    ++held_;
  }
  CacheLine& fresh = *new (&lines_[chosen]) CacheLine{};
  fresh.line = line + 1;
  tags_[chosen] = tag_of(line);
  stamps_[chosen] = ++clock_;
  return fresh;
}

void SectorCache::invalidate(std::uint64_t line) {
  const std::size_t place = place_of(line);
  if (place == kNowhere) return;
  tags_[place] = 0;
  --held_;
}

void SectorCache::clear() {
  std::fill(tags_.begin(), tags_.end(), 0);
  held_ = 0;
  clock_ = 0;
}

}  // namespace stc::memory
