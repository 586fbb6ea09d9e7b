// SPDX-License-Identifier: Apache-2.0
// Models:   lines of local memory that stores are on their way to.
// Evidence: micro_local_swap on an H200: 104 cycles a pass where all lanes name one line, 174 where they name 32 lines
//           that the pass stores to once, 710 to 737 where it stores to other words of 27 of them again and loads them
//           next.
// Abstracts: what the line does in between.
// Timing:   a line to which other words are stored while a store to it is on its way is read when both are done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "models/sm/event_queue.h"

namespace stc::sm {

class LocalStores {
 public:
  void reset() { lines_.clear(); }
  /// A store to `words` of a line at `now` that is done at `done`.
  void add(std::uint64_t line, std::uint32_t words, Cycle now, Cycle done) {
    Line& entry = lines_[line];
    const bool on_its_way = entry.done > now && entry.words != words;
    entry.readable = on_its_way ? done : entry.readable;
    entry.done = done;
    entry.words = words;
  }
  /// First cycle at which the line can be read as far as stores go.
  Cycle readable_from(std::uint64_t line) const {
    const auto entry = lines_.find(line);
    return entry == lines_.end() ? 0 : entry->second.readable;
  }

 private:
  struct Line {
    Cycle done = 0, readable = 0;
    std::uint32_t words = 0;
  };
  std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace stc::sm
