// SPDX-License-Identifier: Apache-2.0
// Models:   tags of a set-associative cache with 128-byte lines of four 32-byte sectors, least recently used out first;
//           on request dirty ones are spared now and then.
// Evidence: line and sector size: NVIDIA's CUDA guides; associativity: a parameter.
// Abstracts: data; replacement policies other than LRU.
// Timing:   none; a line remembers when its last fill arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/prefetch.h"
#include "models/memory/address_hash.h"

namespace stc::memory {

struct CacheLine {
  std::uint64_t line = 0;    ///< line number + 1; 0: empty
  std::uint64_t ready = 0;   ///< tick at which the sectors asked for last arrive
  std::uint64_t asked = 0;   ///< tick at which the request for them came; of an L1's line: who asked for them last
  std::uint32_t stored = 0;  ///< 4-byte words that stores left here; an L1's sectors may hold nothing else
  std::uint8_t valid = 0;    ///< sectors present or on their way
  std::uint8_t dirty = 0;    ///< sectors that memory does not have
  std::uint8_t role = 0;     ///< DataRole of its bytes, for traffic counts
};

class SectorCache {
 public:
  SectorCache() = default;
  SectorCache(std::uint64_t bytes, int ways, Placement placement = Placement::kHashed);

  static std::uint64_t sets_of(std::uint64_t bytes, int ways);

  // Whoever knows set(line) can pass it on.
  /// The line, made most recently used, or nullptr.
  CacheLine* find(std::uint64_t line) { return use(place_of(line)); }
  CacheLine* find(std::uint64_t line, std::uint64_t set, std::size_t likely_way = 0) {
    const Place likely = first_of(set).way(likely_way);
    const bool here = *likely.tag == tag_of(line) && likely.line->line == line + 1;
    return use(here ? likely : search(line, set));
  }
  /// The line, its last use left as it is, or nullptr.
  CacheLine* peek(std::uint64_t line) { return place_of(line).line; }
  /// The tags of a set will be read soon: large caches lie in memory.
  void expect(std::uint64_t set) const {
    const std::uint32_t* const tags = &marks_[2 * static_cast<std::size_t>(set) * stride_];
    prefetch(tags);
    prefetch(tags + stride_);
  }
  /// And now the line itself, when its tags are near, or the place that it gets. Returns the way of its set in which it
  /// seems to be, or kNowhere.
  std::size_t expect_line(std::uint64_t line, std::uint64_t set) {
    const Place first = first_of(set);
    const std::size_t way = way_like(first, line);
    prefetch(first.line + (way != kNowhere ? way : oldest_of(first)));
    return way;
  }
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  /// Makes room for `line` and returns its empty entry; `victim` receives what was thrown out.
  CacheLine& allocate(std::uint64_t line, CacheLine& victim) { return allocate(line, set(line), victim); }
  CacheLine& allocate(std::uint64_t line, std::uint64_t set, CacheLine& victim);
  /// From now on a dirty line whose turn it is to go is spared, by chance, this share of the times: the least recently
  /// used clean one goes, if there is any.
  void spare_dirty(double share) { spared_ = static_cast<std::uint64_t>(share * kChances); }
  /// The line of a set that is thrown out next, unless it is spared; null: there is room.
  CacheLine* next_out(std::uint64_t set) {
    const Place first = first_of(set), oldest = first.way(oldest_of(first));
    return *oldest.tag != 0 ? oldest.line : nullptr;
  }
  /// The dirty line of a set that was used last the longest ago; null: none is dirty.
  CacheLine* oldest_dirty(std::uint64_t set);
  void invalidate(std::uint64_t line);
  /// The set in which the line is, if anywhere.
  std::uint64_t set(std::uint64_t line) const { return set_of(line, sets_, placement_); }
  std::uint64_t sets() const { return marks_count_ / 2 / stride_; }
  /// Lines that fit.
  std::uint64_t capacity() const { return marks_count_ / 2 / stride_ * ways_; }
  void clear();
  /// Bytes that the processor brings at once; sets begin at such a place.
  static constexpr std::size_t kAlignment = 64;

 private:
  struct Release {
    void operator()(void* place) const;
  };
  /// Of a line: its tag, behind which by stride_ lies when it was used last, and the line. Null: not here.
  struct Place {
    std::uint32_t* tag = nullptr;
    CacheLine* line = nullptr;
    Place way(std::size_t way) const { return {tag + way, line + way}; }
  };
  /// Bits of a line's number, never 0: that is an empty way. Two lines may have the same.
  static std::uint32_t tag_of(std::uint64_t line) { return static_cast<std::uint32_t>(2 * line + 1); }

  /// Where the line is; most caches of SMs are empty most of the time.
  Place place_of(std::uint64_t line) { return held_ == 0 ? Place() : search(line, set(line)); }
  Place search(std::uint64_t line, std::uint64_t set);
  CacheLine* use(const Place& place) {
    if (place.line != nullptr) place.tag[stride_] = ++clock_;
    return place.line;
  }
  /// The first way of a set.
  Place first_of(std::uint64_t set) {
    const std::size_t way = static_cast<std::size_t>(set) * stride_;
    return {&marks_[2 * way], &lines_[way]};
  }

  /// The first way of a set whose tag is the line's, which another line may have too; or kNowhere.
  std::size_t way_like(const Place& first, std::uint64_t line) const;
  /// The way of a set that was used last the longest ago; empty ones first.
  std::size_t oldest_of(const Place& first) const;
  /// The dirty or clean one that was used last the longest ago; kNowhere: there is none.
  std::size_t oldest_of(const Place& first, bool dirty) const;
  bool spares() const { return mix(clock_) % kChances < spared_; }

  static constexpr std::uint64_t kChances = 1024;

  std::size_t ways_ = 1;
  std::size_t stride_ = 1;  // ways, and some that nothing comes to, so that tags are compared several at a time
  Placement placement_ = Placement::kHashed;
  Divider sets_;
  std::size_t marks_count_ = 0;
  std::uint32_t clock_ = 0;
  std::size_t held_ = 0;      // lines
  std::uint64_t spared_ = 0;  // of kChances
  // Of each set the tags of its ways, then when they were used last: 0 where the way is empty, the most where nothing
  // comes to. A search reads short tags alone; a line has contents only where its tag is not 0.
  std::unique_ptr<std::uint32_t[], Release> marks_;
  std::unique_ptr<CacheLine[], Release> lines_;
};

}  // namespace stc::memory
