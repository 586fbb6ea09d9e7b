// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/global_memory.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace stc::isa {
namespace {

constexpr std::uint64_t kFirstAddress = 0x7f0000000000ULL;  // where a driver of this age places its first allocations
constexpr std::uint64_t kEndAddress = 0x800000000000ULL;    // pointers have 47 bits
constexpr std::uint64_t kSpacing = 2ULL << 20;              // its large-page granule
constexpr std::uint64_t kAlignment = 512;

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::uint64_t GlobalMemory::next_address() const {
  if (allocations_.empty()) return kFirstAddress;
  const Allocation& last = allocations_.back();
  // At least one whole granule of guard space, so that a run past the end is caught.
  const std::uint64_t address = (last.address + last.bytes + 2 * kSpacing - 1) / kSpacing * kSpacing;
  return address - (last.address + last.bytes) < kSpacing / 2 ? address + kSpacing : address;
}

Allocation& GlobalMemory::allocate(const std::string& name, std::uint64_t bytes, DataRole role) {
  return allocate_at(next_address(), name, bytes, role);
}

Allocation& GlobalMemory::allocate(const std::string& name, BufferBytes data, DataRole role) {
  return allocate_at(next_address(), name, std::move(data), role);
}

std::vector<Allocation>::iterator GlobalMemory::place_for(std::uint64_t address, const std::string& name,
                                                          std::uint64_t bytes) {
  if (find(name) != nullptr) throw std::invalid_argument("two buffers are named '" + name + "'");
  if (address % kAlignment != 0 || address < kFirstAddress || address >= kEndAddress || bytes > kEndAddress - address) {
    throw std::invalid_argument("address " + hex(address) + " must be a multiple of 512 from " + hex(kFirstAddress) +
                                " on, and the buffer must end before " + hex(kEndAddress));
  }
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](std::uint64_t value, const Allocation& a) { return value < a.address; });
  const bool over_next = after != allocations_.end() && address + bytes > after->address;
  const bool over_last = after != allocations_.begin() && (after - 1)->address + (after - 1)->bytes > address;
  if (over_next || over_last) {
    throw std::invalid_argument("lies over buffer '" + (over_next ? after : after - 1)->name + "'");
  }
  return after;
}

Allocation& GlobalMemory::allocate_at(std::uint64_t address, const std::string& name, std::uint64_t bytes,
                                      DataRole role) {
  const auto place = place_for(address, name, bytes);
  return *allocations_.insert(place, {name, address, bytes, role, BufferBytes::zeros(bytes)});
}

Allocation& GlobalMemory::allocate_at(std::uint64_t address, const std::string& name, BufferBytes data, DataRole role) {
  const std::uint64_t bytes = data.size();
  const auto place = place_for(address, name, bytes);
  return *allocations_.insert(place, {name, address, bytes, role, std::move(data)});
}

const Allocation* GlobalMemory::find(std::uint64_t address, std::uint64_t bytes) const {
  const auto holds = [&](const Allocation& a) {
    return address >= a.address && bytes <= a.bytes && address - a.address <= a.bytes - bytes;
  };
  thread_local std::size_t last_hit = 0;  // of any memory: a guess
  if (last_hit < allocations_.size() && holds(allocations_[last_hit])) return &allocations_[last_hit];
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](std::uint64_t value, const Allocation& a) { return value < a.address; });
  if (after == allocations_.begin()) return nullptr;
  const auto candidate = after - 1;
  if (!holds(*candidate)) return nullptr;
  last_hit = static_cast<std::size_t>(candidate - allocations_.begin());
  return &*candidate;
}

std::uint8_t* GlobalMemory::translate(std::uint64_t address, std::uint64_t bytes) {
  const Allocation* allocation = find(address, bytes);
  if (allocation == nullptr) return nullptr;
  auto& held = allocations_[static_cast<std::size_t>(allocation - allocations_.data())];
  return held.data.data() + (address - allocation->address);
}

Allocation* GlobalMemory::find(const std::string& name) {
  for (Allocation& allocation : allocations_) {
    if (allocation.name == name) return &allocation;
  }
  return nullptr;
}

std::string GlobalMemory::describe_place(std::uint64_t address) const {
  if (allocations_.empty()) return "no buffer is allocated";
  const Allocation* nearest = &allocations_.front();
  std::uint64_t best = ~0ULL;
  for (const Allocation& a : allocations_) {
    const std::uint64_t end = a.address + a.bytes;
    const std::uint64_t distance = address < a.address ? a.address - address : address < end ? 0 : address - end + 1;
    if (distance < best) best = distance, nearest = &a;
  }
  const std::string extent = "buffer '" + nearest->name + "' [" + hex(nearest->address) + ", " +
                             hex(nearest->address + nearest->bytes) + "), " + std::to_string(nearest->bytes) + " bytes";
  if (best == 0) return std::to_string(address - nearest->address) + " bytes into " + extent;
  constexpr std::uint64_t kNear = std::uint64_t{1} << 30;  // farther off, a distance says nothing of what went wrong
  if (best > kNear) return "more than a gigabyte from the nearest, " + extent;
  if (address < nearest->address) return std::to_string(best) + " bytes before " + extent;
  return std::to_string(best - 1) + " bytes past the end of " + extent;
}

}  // namespace stc::isa
