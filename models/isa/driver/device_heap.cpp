// SPDX-License-Identifier: Apache-2.0
#include "models/isa/driver/device_heap.h"

#include <algorithm>

namespace stc::isa {

DeviceHeap::DeviceHeap(GlobalMemory& memory, std::uint64_t bytes) {
  free_.emplace(memory.allocate("device heap", bytes).address, bytes);
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  constexpr std::uint64_t kUnit = 16;
  if (bytes == 0 || bytes > ~std::uint64_t{0} - kUnit) return 0;
  const std::uint64_t size = (bytes + kUnit - 1) / kUnit * kUnit;
  const auto place = std::find_if(free_.begin(), free_.end(), [&](const auto& gap) { return gap.second >= size; });
  if (place == free_.end()) return 0;
  const auto [address, room] = *place;
  free_.erase(place);
  if (room > size) free_.emplace(address + size, room - size);
  used_.emplace(address, size);
  return address;
}

bool DeviceHeap::release(std::uint64_t address) {
  if (address == 0) return true;
  const auto block = used_.find(address);
  if (block == used_.end()) return false;
  auto gap = free_.emplace(address, block->second).first;
  used_.erase(block);
  const auto after = std::next(gap);
  if (after != free_.end() && gap->first + gap->second == after->first) {
    gap->second += after->second;
    free_.erase(after);
  }
  if (gap == free_.begin()) return true;
  const auto before = std::prev(gap);
  if (before->first + before->second == gap->first) {
    before->second += gap->second;
    free_.erase(gap);
  }
  return true;
}

}  // namespace stc::isa
