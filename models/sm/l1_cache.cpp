// SPDX-License-Identifier: Apache-2.0
#include "models/sm/l1_cache.h"

#include <algorithm>

#include "models/memory/line_request.h"

namespace stc::sm {

void L1Cache::reset(std::uint64_t bytes) {
  tags_ = memory::SectorCache(bytes, ways_);
  followers_.clear();
  stored_bytes_.clear();
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
  if (found.sectors != 0) {
    found.awaited = line->asked;
    found.ready = found.awaited != 0 ? 0 : std::max(now, line->ready);
  }
  const std::uint32_t wanted = access.words & ~line->stored;
  for (unsigned sector = 0; sector < memory::kLineBytes / memory::kSectorBytes; ++sector) {
    const std::uint32_t words = 0xffu << (8 * sector);  // all that is wanted of it was stored: it need not be fetched
    const bool stored = (access.words & words) != 0 && (wanted & words) == 0;
    if (stored) found.sectors = static_cast<std::uint8_t>(found.sectors | 1u << sector);
  }
  return found;
}

void L1Cache::store(const LineAccess& access, const LineBytes& bytes) {
  const bool is_new = tags_.find(access.line) == nullptr;
  LineBytes& all = stored_bytes_[access.line];
  if (is_new) all = {};
  for (std::size_t b = 0; b < bytes.size(); ++b) all[b] |= bytes[b];
  line_of(access.line).stored |= all[0] & all[1] & all[2] & all[3];
}

void L1Cache::ask(const LineAccess& access, ReadNumber read) {
  memory::CacheLine& line = line_of(access.line);
  line.valid |= access.sectors;
  line.asked = read;
}

void L1Cache::asked(std::uint64_t line, ReadNumber read) {
  memory::CacheLine* const here = tags_.find(line);
  if (here != nullptr) here->asked = read;
}

void L1Cache::arrive(std::uint64_t line, ReadNumber read, Cycle when) {
  memory::CacheLine* const here = tags_.peek(line);
  if (here == nullptr || here->asked != read) return;  // thrown out since, or asked for again
  here->asked = 0;
  here->ready = when;
}

std::vector<std::uint32_t> L1Cache::take_followers(ReadNumber read) {
  std::vector<std::uint32_t> tokens;
  if (followers_.empty()) return tokens;
  const auto here = std::stable_partition(followers_.begin(), followers_.end(),
                                          [read](const Follower& follower) { return follower.read != read; });
  for (auto follower = here; follower != followers_.end(); ++follower) tokens.push_back(follower->token);
  followers_.erase(here, followers_.end());
  return tokens;
}

}  // namespace stc::sm
