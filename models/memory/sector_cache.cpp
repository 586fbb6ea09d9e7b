// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sector_cache.h"

#include <algorithm>
#include <new>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stc::memory {
namespace {

constexpr std::size_t kTagsAtATime = 8;

/// Bit per tag of kTagsAtATime that is `tag`.
std::uint32_t equal(const std::uint32_t* tags, std::uint32_t tag) {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
  const auto same = [&](std::size_t from) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + from)), wanted);
  };
  const __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(same(0), same(4)), _mm_setzero_si128());
  return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kTagsAtATime; ++i) bits |= static_cast<std::uint32_t>(tags[i] == tag) << i;
  return bits;
#endif
}

/// The least of `count` numbers, a multiple of kTagsAtATime.
std::uint32_t least(const std::uint32_t* numbers, std::size_t count) {
#if defined(__SSE2__)
  // Compared as signed ones, from which they differ by the highest bit.
  const __m128i sign = _mm_set1_epi32(static_cast<int>(0x80000000U));
  const auto at = [&](std::size_t from) {
    return _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + from)), sign);
  };
  const auto lesser = [](__m128i a, __m128i b) {
    const __m128i second = _mm_cmpgt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(second, b), _mm_andnot_si128(second, a));
  };
  __m128i all = at(0);
  for (std::size_t from = 4; from < count; from += 4) all = lesser(all, at(from));
  all = lesser(all, _mm_shuffle_epi32(all, 0x4e));
  all = lesser(all, _mm_shuffle_epi32(all, 0xb1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_xor_si128(all, sign)));
#else
  return *std::min_element(numbers, numbers + count);
#endif
}

/// Room that is not written.
template <class T>
T* room_for(std::size_t count) {
  return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{SectorCache::kAlignment}));
}

}  // namespace

std::uint64_t SectorCache::sets_of(std::uint64_t bytes, int ways) {
  return std::max<std::uint64_t>(1, bytes / kLineBytes / static_cast<std::uint64_t>(ways));
}

void SectorCache::Release::operator()(void* place) const { ::operator delete (place, std::align_val_t{kAlignment}); }

SectorCache::SectorCache(std::uint64_t bytes, int ways, Placement placement)
    : ways_(static_cast<std::size_t>(ways)),
      stride_((ways_ + kTagsAtATime - 1) / kTagsAtATime * kTagsAtATime),
      placement_(placement),
      sets_(sets_of(bytes, ways)),
      marks_count_(2 * sets_of(bytes, ways) * stride_),
      marks_(room_for<std::uint32_t>(marks_count_)),
      // Not written before a line comes there: most of a large cache is never used.
      lines_(room_for<CacheLine>(marks_count_ / 2)) {
  clear();
}

SectorCache::Place SectorCache::search(std::uint64_t line, std::uint64_t set) {
  const Place first = first_of(set);
  const std::uint32_t tag = tag_of(line);
  for (std::size_t from = 0; from < stride_; from += kTagsAtATime) {
    for (std::uint32_t same = equal(first.tag + from, tag); same != 0; same &= same - 1) {
      const std::size_t way = from + static_cast<std::size_t>(__builtin_ctz(same));
      if (first.line[way].line == line + 1) return first.way(way);
    }
  }
  return {};
}

std::size_t SectorCache::way_like(const Place& first, std::uint64_t line) const {
  const std::uint32_t tag = tag_of(line);
  for (std::size_t from = 0; from < stride_; from += kTagsAtATime) {
    const std::uint32_t same = equal(first.tag + from, tag);
    if (same != 0) return from + static_cast<std::size_t>(__builtin_ctz(same));
  }
  return kNowhere;
}

std::size_t SectorCache::oldest_of(const Place& first) const {
  const std::uint32_t* const stamps = first.tag + stride_;
  const std::uint32_t oldest = least(stamps, stride_);
  std::size_t from = 0;
  while (equal(stamps + from, oldest) == 0) from += kTagsAtATime;
  return from + static_cast<std::size_t>(__builtin_ctz(equal(stamps + from, oldest)));
}

std::size_t SectorCache::oldest_of(const Place& first, bool dirty) const {
  std::size_t oldest = kNowhere;
  for (std::size_t way = 0; way < ways_; ++way) {
    if (first.tag[way] == 0 || (first.line[way].dirty != 0) != dirty) continue;
    if (oldest == kNowhere || first.tag[way + stride_] < first.tag[oldest + stride_]) oldest = way;
  }
  return oldest;
}

CacheLine* SectorCache::oldest_dirty(std::uint64_t set) {
  const Place first = first_of(set);
  const std::size_t way = oldest_of(first, true);
  return way != kNowhere ? first.line + way : nullptr;
}

CacheLine& SectorCache::allocate(std::uint64_t line, std::uint64_t set, CacheLine& victim) {
  const Place first = first_of(set);
  std::size_t chosen = oldest_of(first);
  if (spared_ != 0 && first.tag[chosen] != 0 && first.line[chosen].dirty != 0 && spares()) {
    const std::size_t clean = oldest_of(first, false);
    if (clean != kNowhere) chosen = clean;
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
  place.tag[0] = place.tag[stride_] = 0;
  --held_;
}

void SectorCache::clear() {
  std::fill_n(marks_.get(), marks_count_, 0);
  for (std::size_t set = 0; ways_ != stride_ && set < marks_count_; set += 2 * stride_) {
    std::fill_n(&marks_[set + stride_ + ways_], stride_ - ways_, ~std::uint32_t{0});
  }
  held_ = 0;
  clock_ = 0;
}

}  // namespace stc::memory
