// SPDX-License-Identifier: Apache-2.0
#include "models/sm/l1_cache.h"

#include <algorithm>

#include "models/memory/line_request.h"

namespace stc::sm {

void L1Cache::reset(std::uint64_t bytes) {
  tags_ = memory::SectorCache(bytes, ways_);
  followers_.clear();
}

memory::CacheLine& L1Cache::line_of(std::uint64_t line) {
  memory::CacheLine* const here = tags_.find(line);
  memory::CacheLine victim;
  return here != nullptr ? *here : tags_.allocate(line, victim);
}

L1Cache::Found L1Cache::look_up(const LineAccess& access, Cycle now) {
  Found found;
  const memory::CacheLine* const line = tags_.find(access.line);
  if (line == nullptr) return found;
  found.sectors = static_cast<std::uint8_t>(line->valid & access.sectors);
  found.awaited = static_cast<std::uint8_t>(found.sectors & line->awaited);
  if (found.sectors != 0 && found.awaited == 0) found.ready = std::max(now, line->ready);
  const std::uint32_t wanted = access.words & ~line->stored;
  for (unsigned sector = 0; sector < memory::kLineBytes / memory::kSectorBytes; ++sector) {
    const std::uint32_t words = 0xffu << (8 * sector);  // all that is wanted of it was stored: it need not be fetched
    const bool stored = (access.words & words) != 0 && (wanted & words) == 0;
    if (stored) found.sectors = static_cast<std::uint8_t>(found.sectors | 1u << sector);
  }
  return found;
}

void L1Cache::ask(const LineAccess& access) {
  memory::CacheLine& line = line_of(access.line);
  line.valid |= access.sectors;
  line.awaited |= access.sectors;  // until the crossbar tells
}

std::vector<std::uint32_t> L1Cache::arrive(const LineAccess& access, Cycle when) {
  memory::CacheLine* const line = tags_.find(access.line);
  if (line != nullptr) {
    line->awaited = static_cast<std::uint8_t>(line->awaited & ~access.sectors);
    line->ready = when;
  }
  std::vector<std::uint32_t> served;
  if (followers_.empty()) return served;
  for (Follower& follower : followers_) {
    if (follower.line == access.line) follower.sectors = static_cast<std::uint8_t>(follower.sectors & ~access.sectors);
  }
  const auto here = std::stable_partition(followers_.begin(), followers_.end(),
                                          [](const Follower& follower) { return follower.sectors != 0; });
  for (auto follower = here; follower != followers_.end(); ++follower) served.push_back(follower->token);
  followers_.erase(here, followers_.end());
  return served;
}

}  // namespace stc::sm
