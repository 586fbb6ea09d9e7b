// SPDX-License-Identifier: Apache-2.0
// The simulated GPU's global memory: named, bounds-checked allocations. Values only; time is models/memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/data_role.h"
#include "models/isa/state/buffer_bytes.h"

namespace stc::isa {

struct Allocation {
  std::string name;
  std::uint64_t address = 0;  ///< device address, 512-byte aligned
  std::uint64_t bytes = 0;
  DataRole role = DataRole::kOther;
  BufferBytes data;
};

/// Once all is allocated, several threads may look for places.
class GlobalMemory {
 public:
  /// Adds a zero-filled allocation. Allocations lie 2 MiB apart with unmapped guard space between.
  Allocation& allocate(const std::string& name, std::uint64_t bytes, DataRole role = DataRole::kOther);
  /// The same at an address of the caller's choice, for data that hold pointers; std::invalid_argument when it is no
  /// multiple of 512, leaves the range of devices' addresses or lies over another allocation.
  Allocation& allocate_at(std::uint64_t address, const std::string& name, std::uint64_t bytes,
                          DataRole role = DataRole::kOther);
  /// The same with bytes that are there already.
  Allocation& allocate(const std::string& name, BufferBytes data, DataRole role);
  Allocation& allocate_at(std::uint64_t address, const std::string& name, BufferBytes data, DataRole role);

  /// The allocation that holds [address, address + bytes), or nullptr.
  const Allocation* find(std::uint64_t address, std::uint64_t bytes) const;
  /// Host pointer to device bytes [address, address + bytes), or nullptr when any of them is outside an allocation.
  std::uint8_t* translate(std::uint64_t address, std::uint64_t bytes);

  const std::vector<Allocation>& allocations() const { return allocations_; }
  Allocation* find(const std::string& name);
  /// One sentence for an error message: the nearest allocation and how far `address` lies from it.
  std::string describe_place(std::uint64_t address) const;

 private:
  std::uint64_t next_address() const;
  /// Before which one the new one comes. Throws as allocate_at() does.
  std::vector<Allocation>::iterator place_for(std::uint64_t address, const std::string& name, std::uint64_t bytes);

  std::vector<Allocation> allocations_;  // ascending addresses
};

}  // namespace stc::isa
