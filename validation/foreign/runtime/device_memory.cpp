// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "validation/foreign/runtime/stop.h"

namespace stc::foreign {
namespace {

constexpr std::uint64_t kSpacing = 2U << 20U;

/// Host memory at exactly this address; nullptr where the process has something there.
std::uint8_t* map_at(std::uint64_t address, std::size_t bytes) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) return static_cast<std::uint8_t*>(got);
  if (got != MAP_FAILED) munmap(got, bytes);
  return nullptr;
}

}  // namespace

std::uint64_t DeviceMemory::allocate(std::size_t bytes, std::string name) {
  const std::uint64_t address = next_;
  next_ = (address + bytes + 2 * kSpacing - 1) / kSpacing * kSpacing;
  if (name.empty()) name = "b" + std::to_string(count_++);
  allocations_[address] = {std::move(name), std::vector<std::uint8_t>(std::max<std::size_t>(bytes, 1)), nullptr};
  return address;
}

std::uint64_t DeviceMemory::allocate_managed(std::size_t bytes, std::string name) {
  constexpr int kTrials = 4096;
  for (int i = 0; i < kTrials; ++i, next_ += kSpacing) {
    std::uint8_t* const managed = map_at(next_, std::max<std::size_t>(bytes, 1));
    if (managed == nullptr) continue;
    const std::uint64_t address = allocate(bytes, std::move(name));
    allocations_[address].managed = managed;
    return address;
  }
  stop(kExitUsage, "managed memory: the host has no room at the device's addresses");
}

void DeviceMemory::free(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return;
  if (found->second.managed != nullptr) munmap(found->second.managed, found->second.data.size());
  allocations_.erase(found);
}

std::uint8_t* DeviceMemory::translate(std::uint64_t address, std::size_t bytes) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  auto& [start, allocation] = *--after;
  const std::uint64_t offset = address - start;
  if (offset > allocation.data.size() || bytes > allocation.data.size() - offset) return nullptr;
  return (allocation.managed != nullptr ? allocation.managed : allocation.data.data()) + offset;
}

void DeviceMemory::take_from_host() {
  for (auto& [address, allocation] : allocations_) {
    if (allocation.managed == nullptr) continue;
    std::memcpy(allocation.data.data(), allocation.managed, allocation.data.size());
  }
}

void DeviceMemory::give_to_host() {
  for (auto& [address, allocation] : allocations_) {
    if (allocation.managed == nullptr) continue;
    std::memcpy(allocation.managed, allocation.data.data(), allocation.data.size());
  }
}

}  // namespace stc::foreign
