// SPDX-License-Identifier: Apache-2.0
// The heap behind device malloc and free.
// Models:    blocks of one allocation of global memory, first fit, 16-byte aligned; malloc gives 0 when none fits.
// Evidence:  CUDA C++ Programming Guide, "Dynamic Global Memory Allocation": size limit, alignment, null when full.
// Abstracts: where the driver's allocator puts a block, and what it needs for itself.
// Timing:    at once.
#pragma once

#include <cstdint>
#include <map>

#include "models/isa/state/global_memory.h"

namespace stc::isa {

class DeviceHeap {
 public:
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 20;  ///< cudaLimitMallocHeapSize

  /// Takes `bytes` of `memory`.
  DeviceHeap(GlobalMemory& memory, std::uint64_t bytes);

  /// Address of a new block; 0 when it does not fit or `bytes` is 0.
  std::uint64_t allocate(std::uint64_t bytes);
  /// False when no block begins at `address`. The null pointer may always be freed.
  bool release(std::uint64_t address);

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  // address -> bytes, no two adjacent
  std::map<std::uint64_t, std::uint64_t> used_;
};

}  // namespace stc::isa
