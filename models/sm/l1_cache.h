// SPDX-License-Identifier: Apache-2.0
// Models:   the L1 data cache of an SM: which sectors are here, which are on their way, and which words stores left.
// Evidence: what stores leave: measured/h200/foreign.csv, programs that read what they wrote (numeric/tridiagonal,
//           sorts/insertion_local).
// Abstracts: data; bytes of a word that a store to global memory left.
// Timing:   none of its own: a sector is ready when its line's last fill has arrived. Who finds one on its way before L2
//           has told when it comes follows the read that asked for it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/memory/sector_cache.h"
#include "models/sm/coalescer.h"
#include "models/sm/event_queue.h"

namespace stc::sm {

/// A read that asked L2 for lines; 0: none.
using ReadNumber = std::uint64_t;

class L1Cache {
 public:
  explicit L1Cache(int ways) : ways_(ways) {}
  /// Empty, with room for `bytes`.
  void reset(std::uint64_t bytes);

  /// Sectors of an access that need not be asked for.
  struct Found {
    std::uint8_t sectors = 0;
    ReadNumber awaited = 0;  ///< the read with whose arrival those that were not stored are here, while that is unknown
    Cycle ready = 0;         ///< when they are here, if it is known; 0: they were stored, or there are none
  };
  Found look_up(const LineAccess& access, Cycle now);
  /// `token` waits for what `read` has asked for.
  void follow(ReadNumber read, std::uint32_t token) { followers_.push_back({read, token}); }
  /// `read` asks for sectors of `access`, which will be kept.
  void ask(const LineAccess& access, ReadNumber read);
  /// All lines that `read` needs are asked for, this one too: it is used again, and is ready when `read` has arrived.
  void asked(std::uint64_t line, ReadNumber read);
  /// `read`, which asked for the line, has its data at `when`.
  void arrive(std::uint64_t line, ReadNumber read, Cycle when);
  /// Tokens of those who follow `read`, who do so no more.
  std::vector<std::uint32_t> take_followers(ReadNumber read);
  /// The line is used again.
  void touch(std::uint64_t line) { tags_.find(line); }
  /// A store leaves the words of `access`, which a later load finds here.
  void store(const LineAccess& access) { line_of(access.line).stored |= access.words; }
  /// A store of some bytes of words: a later load finds a word here once stores have left all of its bytes.
  void store(const LineAccess& access, const LineBytes& bytes);
  void invalidate(std::uint64_t line) { tags_.invalidate(line); }

 private:
  struct Follower {
    ReadNumber read = 0;
    std::uint32_t token = 0;
  };
  /// The line, allocated if it is not here.
  memory::CacheLine& line_of(std::uint64_t line);

  const int ways_;
  memory::SectorCache tags_;
  std::vector<Follower> followers_;
  std::unordered_map<std::uint64_t, LineBytes> stored_bytes_;  // of lines with stores of less than words
};

}  // namespace stc::sm
