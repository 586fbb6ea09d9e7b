// SPDX-License-Identifier: Apache-2.0
#include "models/memory/miss_table.h"

#include <algorithm>

namespace stc::memory {

void MissTable::wait(std::uint64_t line, std::uint8_t sectors, FillListener& listener, LineRequest& read) {
  lines_[line].waiters.push_back({&listener, &read, sectors});
}

void MissTable::fill(std::uint64_t line, std::uint8_t sectors) {
  const auto found = lines_.find(line);
  if (found == lines_.end()) return;
  Line& entry = found->second;
  entry.sectors = static_cast<std::uint8_t>(entry.sectors & ~sectors);
  for (Waiter& waiter : entry.waiters) waiter.sectors = static_cast<std::uint8_t>(waiter.sectors & ~sectors);
  const auto served = std::stable_partition(entry.waiters.begin(), entry.waiters.end(),
                                            [](const Waiter& waiter) { return waiter.sectors != 0; });
  const std::vector<Waiter> complete(served, entry.waiters.end());
  entry.waiters.erase(served, entry.waiters.end());
  if (entry.sectors == 0) lines_.erase(found);
  for (const Waiter& waiter : complete) waiter.listener->filled(*waiter.read);
}

void MissTable::clear() { lines_.clear(); }

}  // namespace stc::memory
