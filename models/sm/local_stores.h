// SPDX-License-Identifier: Apache-2.0
// Models:   lines of local memory that the L1 loses because two stores came close together.
// Evidence: stores of 32 lanes to 32 lines on an H200, a load much later: 76 cycles behind one store, behind two of the
//           same words and behind a second that comes 64 cycles after the first; 303 to 350 behind one that comes 30
//           cycles after it and names other words of the lines, whatever sector is loaded. The next load takes 76
//           again. Stores to one, two or four lines never do so: a second one cannot come before they have gone
//           through.
// Abstracts: what the L1 does with the two; the line is simply not there any more.
// Timing:   a store takes its lines through the port one after the other; one that comes before an earlier store has
//           taken through a line that both name finds it on its way.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/sm/event_queue.h"

namespace stc::sm {

class LocalStores {
 public:
  void reset() { lines_.clear(); }

  /// A store to `words` of a line that comes at `now` and goes through at `through`. True when it drives the line out
  /// of the L1.
  bool add(std::uint64_t line, std::uint32_t words, Cycle now, Cycle through) {
    Store& last = lines_[line];
    const bool lost = last.through > now && last.words != words;
    last = {through, words};
    return lost;
  }

 private:
  struct Store {
    Cycle through = 0;
    std::uint32_t words = 0;
  };
  std::unordered_map<std::uint64_t, Store> lines_;
};

}  // namespace stc::sm
