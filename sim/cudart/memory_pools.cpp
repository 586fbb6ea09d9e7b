// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/memory_pools.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace stc::cuda {
namespace {

constexpr std::uint64_t kReserveBytes = 32 << 20;  // what an H200 reserves at once

std::mutex& pools_mutex() {
  static auto* const one = new std::mutex;
  return *one;
}
std::set<MemoryPool*>& pools() {
  static auto* const all = new std::set<MemoryPool*>{default_pool()};
  return *all;
}

}  // namespace

std::uint64_t MemoryPool::reserved() const { return (used + kReserveBytes - 1) / kReserveBytes * kReserveBytes; }

MemoryPool* default_pool() {
  static auto* const one = new MemoryPool;
  return one;
}
MemoryPool*& current_pool() {
  static MemoryPool* one = default_pool();
  return one;
}

bool is_pool(const MemoryPool* pool) {
  const std::lock_guard lock(pools_mutex());
  return pools().count(const_cast<MemoryPool*>(pool)) != 0;
}

MemoryPool* create_pool() {
  const std::lock_guard lock(pools_mutex());
  return *pools().insert(new MemoryPool).first;  // kept until it is destroyed
}

bool destroy_pool(MemoryPool* pool) {
  const std::lock_guard lock(pools_mutex());
  if (pool == default_pool() || pools().erase(pool) == 0) return false;
  if (current_pool() == pool) current_pool() = default_pool();
  return delete pool, true;
}

void take_from(MemoryPool* pool, std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(pools_mutex());
  if (address == 0 || pools().count(pool) == 0) return;
  pool->taken[address] = bytes;
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
  pool->most_reserved = std::max(pool->most_reserved, pool->reserved());
}

void give_back(std::uint64_t address) {
  const std::lock_guard lock(pools_mutex());
  for (MemoryPool* const pool : pools()) {
    const auto found = pool->taken.find(address);
    if (found == pool->taken.end()) continue;
    pool->used -= found->second;
    pool->taken.erase(found);
  }
}

}  // namespace stc::cuda
