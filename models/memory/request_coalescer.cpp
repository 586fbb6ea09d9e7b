// SPDX-License-Identifier: Apache-2.0
#include "models/memory/request_coalescer.h"

namespace stc::memory {

RequestCoalescer::RequestCoalescer(const CrossbarParams& params)
    : most_joined_(params.coalesced_requests - 1),
      reach_(cycles_to_ticks(params.coalescer_reach)),
      entries_(most_joined_ > 0 ? kEntries : 0) {}

void RequestCoalescer::reset() { entries_.assign(entries_.size(), Entry()); }

Tick RequestCoalescer::join(std::uint64_t line, std::uint8_t sectors, Tick now) {
  if (entries_.empty()) return 0;
  Entry& entry = entry_of(line);
  const bool same = entry.line == line && entry.sectors == sectors;
  if (!same || entry.joined == most_joined_ || entry.arrival < now + reach_) return 0;
  ++entry.joined;
  return entry.arrival;
}

void RequestCoalescer::add(std::uint64_t line, std::uint8_t sectors, Tick arrival, const void* leader) {
  if (!entries_.empty()) entry_of(line) = {line, arrival, leader, 0, sectors};
}

void RequestCoalescer::arrives(std::uint64_t line, const void* leader, Tick arrival) {
  if (entries_.empty()) return;
  Entry& entry = entry_of(line);
  if (entry.line != line || entry.leader != leader) return;
  entry.arrival = arrival;
  entry.leader = nullptr;
}

}  // namespace stc::memory
