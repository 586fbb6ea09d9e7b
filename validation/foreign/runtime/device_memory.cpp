// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/device_memory.h"

#include <algorithm>

namespace stc::foreign {

std::uint64_t DeviceMemory::allocate(std::size_t bytes, std::string name) {
  constexpr std::uint64_t kSpacing = 2U << 20U;
  const std::uint64_t address = next_;
  next_ = (address + bytes + 2 * kSpacing - 1) / kSpacing * kSpacing;
  if (name.empty()) name = "b" + std::to_string(count_++);
  allocations_[address] = {std::move(name), std::vector<std::uint8_t>(std::max<std::size_t>(bytes, 1))};
  return address;
}

std::uint8_t* DeviceMemory::translate(std::uint64_t address, std::size_t bytes) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  auto& [start, allocation] = *--after;
  const std::uint64_t offset = address - start;
  if (offset > allocation.data.size() || bytes > allocation.data.size() - offset) return nullptr;
  return allocation.data.data() + offset;
}

}  // namespace stc::foreign
