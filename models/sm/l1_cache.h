// SPDX-License-Identifier: Apache-2.0
// Models:   the L1 data cache of an SM: which sectors are here, which are on their way, and which words stores left.
// Evidence: what stores leave: measured/h200/foreign.csv, programs that read what they wrote (numeric/tridiagonal,
//           sorts/insertion_local).
// Abstracts: data; bytes of a word that a store left.
// Timing:   none of its own: a sector is ready when its line's last fill has arrived.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/sector_cache.h"
#include "models/sm/coalescer.h"
#include "models/sm/event_queue.h"

namespace stc::sm {

class L1Cache {
 public:
  explicit L1Cache(int ways) : ways_(ways) {}
  /// Empty, with room for `bytes`.
  void reset(std::uint64_t bytes);

  /// Sectors of an access that need not be asked for.
  struct Found {
    std::uint8_t sectors = 0;
    std::uint8_t awaited = 0;  ///< of them: on their way, and it is not known when they come
    Cycle ready = 0;           ///< when the others are here; 0: they were stored, or there are none
  };
  Found look_up(const LineAccess& access, Cycle now);
  /// `token` waits for awaited sectors of a line that another has asked for.
  void follow(std::uint64_t line, std::uint8_t awaited, std::uint32_t token) {
    followers_.push_back({line, awaited, token});
  }
  /// Sectors of `access` are asked for and will be kept.
  void ask(const LineAccess& access);
  /// They arrive at `when`. Returns the tokens of followers that wait no more.
  std::vector<std::uint32_t> arrive(const LineAccess& access, Cycle when);
  /// The line is used again.
  void touch(std::uint64_t line) { tags_.find(line); }
  /// A store leaves the words of `access`, which a later load finds here.
  void store(const LineAccess& access) { line_of(access.line).stored |= access.words; }
  void invalidate(std::uint64_t line) { tags_.invalidate(line); }

 private:
  struct Follower {
    std::uint64_t line = 0;
    std::uint8_t sectors = 0;
    std::uint32_t token = 0;
  };
  /// The line, allocated if it is not here.
  memory::CacheLine& line_of(std::uint64_t line);

  const int ways_;
  memory::SectorCache tags_;
  std::vector<Follower> followers_;  // none with the built-in device memory, which tells the time in the same cycle
};

}  // namespace stc::sm
