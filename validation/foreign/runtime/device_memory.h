// SPDX-License-Identifier: Apache-2.0
// The device's memory between launches: allocations with the addresses that the simulator will give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stc::foreign {

class DeviceMemory {
 public:
  struct Allocation {
    std::string name;
    std::vector<std::uint8_t> data;
    std::uint8_t* managed = nullptr;  ///< the host's view of it, at the same address; none: the host copies
  };

  /// The device address. An empty name becomes "bN".
  std::uint64_t allocate(std::size_t bytes, std::string name = "");
  /// Memory that the host reads and writes too, at the same address.
  std::uint64_t allocate_managed(std::size_t bytes, std::string name = "");
  void free(std::uint64_t address);
  /// Host pointer to device bytes [address, address + bytes), or nullptr.
  std::uint8_t* translate(std::uint64_t address, std::size_t bytes);
  /// Managed memory before a launch, and after it.
  void take_from_host();
  void give_to_host();

  std::map<std::uint64_t, Allocation>& allocations() { return allocations_; }

 private:
  std::map<std::uint64_t, Allocation> allocations_;  // by address
  std::uint64_t next_ = 0x7f0000000000ULL;           // the simulator's first address, and spacing alike
  int count_ = 0;
};

}  // namespace stc::foreign
