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
      marks_(2 * sets_ * stride_),
      // Not written before a line comes there: most of a large cache is never used.
      lines_(static_cast<CacheLine*>(::operator new(sets_* stride_ * sizeof(CacheLine)))) {}

SectorCache::Place SectorCache::search(std::uint64_t line) {
  const Place first = first_of_set(line);
  const std::uint32_t tag = tag_of(line);
  for (std::size_t from = 0; from < stride_; from += kTagsAtATime) {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < kTagsAtATime; ++i) any |= first.tag[from + i] == tag ? 1u : 0u;
    if (any == 0) continue;
    for (std::size_t way = from; way < from + kTagsAtATime; ++way) {
      if (first.tag[way] == tag && first.line[way].line == line + 1) return {first.tag + way, first.line + way};
    }
  }
  return {};
}

CacheLine& SectorCache::allocate(std::uint64_t line, CacheLine& victim) {
  const Place first = first_of_set(line);
  const std::uint32_t* const stamps = first.tag + stride_;
  std::size_t chosen = 0;
  for (std::size_t way = 0; way < ways_; ++way) {
    if (first.tag[way] == 0) {
      chosen = way;
      break;
    }
    if (stamps[way] < stamps[chosen]) chosen = way;
  }
  victim = CacheLine{};
  if (first.tag[chosen] != 0) {
    victim = first.line[chosen];
  } else {
    ++held_;
  }
  CacheLine& fresh = *new (&first.line[chosen]) CacheLine{};
  fresh.line = line + 1;
  first.tag[chosen] = tag_of(line);
  first.tag[chosen + stride_] = ++clock_;
  return fresh;
}

void SectorCache::invalidate(std::uint64_t line) {
  const Place place = place_of(line);
  if (place.line == nullptr) return;
  *place.tag = 0;
  --held_;
}

void SectorCache::clear() {
  std::fill(marks_.begin(), marks_.end(), 0);
  held_ = 0;
  clock_ = 0;
}

}  // namespace stc::memory
