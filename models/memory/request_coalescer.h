// SPDX-License-Identifier: Apache-2.0
// Models:   the request coalescer of a GPC (request merging): a read of a line that another SM of the GPC has just
//           asked for does not go to L2; the data is delivered to all of them when it arrives.
// Evidence: measured/h200/sectors.csv: SMs of a GPC that read the same lines together ask L2 for a half (pairs) to a
//           quarter (more than four) of what they receive; SMs of different GPCs for everything. Only reads of the same
//           sectors join: measured/h200/padded.csv, where parts of what is on its way are asked for again.
// Abstracts: how requests are held; which of those waiting are served when there are more than one delivery takes.
// Timing:   a read that joins another arrives with it, also when nobody knows yet when that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/core/prefetch.h"
#include "models/core/time_base.h"
#include "models/memory/address_hash.h"
#include "models/memory/memory_params.h"

namespace stc::memory {

class RequestCoalescer {
 public:
  explicit RequestCoalescer(const CrossbarParams& params);

  static constexpr Tick kUnknown = ~Tick{0};

  /// Arrival of the line if a read on its way at `now` brings just `sectors` and takes one more; else 0. kUnknown: it
  /// arrives with the read that leader() names.
  Tick join(std::uint64_t line, std::uint8_t sectors, Tick now);
  /// A read of its own, which others may join until it arrives. If that is kUnknown, `leader` is the read.
  void add(std::uint64_t line, std::uint8_t sectors, Tick arrival, const void* leader = nullptr);
  /// The arrival of a leader, now known.
  void arrives(std::uint64_t line, const void* leader, Tick arrival);
  /// A read joins one only if that one's data arrives no sooner than in this time.
  Tick reach() const { return reach_; }
  const void* leader(std::uint64_t line) { return entry_of(line).leader; }
  /// A read of the line comes soon.
  void expect(std::uint64_t line) const {
    if (!entries_.empty()) prefetch(&entries_[place_of(line)]);
  }
  void reset();

 private:
  struct alignas(32) Entry {
    std::uint64_t line = ~std::uint64_t{0};
    Tick arrival = 0;
    const void* leader = nullptr;  // of a read whose arrival is not known
    int joined = 0;
    std::uint8_t sectors = 0;
  };
  static constexpr std::size_t kEntries = 4096;  // more lines than a GPC has on their way
  static std::size_t place_of(std::uint64_t line) { return mix(line) % kEntries; }
  Entry& entry_of(std::uint64_t line) { return entries_[place_of(line)]; }

  const int most_joined_;
  const Tick reach_;
  std::vector<Entry> entries_;  // direct-mapped: a newer read takes an older one's place
};

}  // namespace stc::memory
