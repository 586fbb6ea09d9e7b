// SPDX-License-Identifier: Apache-2.0
// Pools that stream-ordered allocations come from. Memory itself is plain: a pool knows what was taken from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace stc::cuda {

struct MemoryPool {
  std::map<std::uint64_t, std::size_t> taken;  ///< bytes by address
  std::uint64_t used = 0, most_used = 0, most_reserved = 0, threshold = 0;
  int reuse[3] = {1, 1, 1};  ///< which memory it may give again: hints, here
  std::uint64_t reserved() const;
};

/// The device's own, and the one that is taken from where none is named.
MemoryPool* default_pool();
MemoryPool*& current_pool();
bool is_pool(const MemoryPool* pool);
MemoryPool* create_pool();
/// False when it is none that was created.
bool destroy_pool(MemoryPool* pool);
/// An allocation of a pool, which may be gone: then nothing is noted.
void take_from(MemoryPool* pool, std::uint64_t address, std::size_t bytes);
void give_back(std::uint64_t address);

}  // namespace stc::cuda
