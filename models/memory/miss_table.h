// SPDX-License-Identifier: Apache-2.0
// Models:   the miss-status registers (MSHR) of L2: sectors on their way from device memory and the reads that wait for them.
// Evidence: none of its own; a second read of a line that is on its way is merged with the first.
// Abstracts: how many there are.
// Timing:   a read goes on when the last of its sectors has come. Empty with the built-in HBM, whose reads know at once
//           when they are back.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/memory/line_request.h"

namespace stc::memory {

/// Who is told that the sectors for which a read waited are here.
class FillListener {
 public:
  virtual void filled(LineRequest& read) = 0;

 protected:
  ~FillListener() = default;
};

/// Who is told that such a read leaves L2 `delay` from now.
class FilledReads {
 public:
  virtual void filled(LineRequest& read, Tick delay) = 0;

 protected:
  ~FilledReads() = default;
};

class MissTable {
 public:
  /// Sectors of `line` that were asked for and have not come.
  std::uint8_t on_their_way(std::uint64_t line) const {
    if (lines_.empty()) return 0;
    const auto found = lines_.find(line);
    return found == lines_.end() ? std::uint8_t{0} : found->second.sectors;
  }
  void add(std::uint64_t line, std::uint8_t sectors) { lines_[line].sectors |= sectors; }
  /// `read` waits for `sectors`, all of which are on their way.
  void wait(std::uint64_t line, std::uint8_t sectors, FillListener& listener, LineRequest& read);
  /// `sectors` of `line` have come: tells those who waited for nothing else, in the order in which they came.
  void fill(std::uint64_t line, std::uint8_t sectors);
  /// Forgets everything; nobody is told.
  void clear();

 private:
  struct Waiter {
    FillListener* listener;
    LineRequest* read;
    std::uint8_t sectors;  // still to come
  };
  struct Line {
    std::uint8_t sectors = 0;
    std::vector<Waiter> waiters;
  };
  std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace stc::memory
