// SPDX-License-Identifier: Apache-2.0
// Which registers of a warp hold what memory, a matrix product, the clock or a place on the GPU made them. Where such a
// register decides the way or an address, CTAs may differ from one another in ways that only running them tells.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/resource_use.h"
#include "models/isa/state/kernel.h"

namespace stc::gpu {

/// What each instruction of a kernel does to that, worked out once.
class DataFlow {
 public:
  explicit DataFlow(const isa::Kernel& kernel);

  struct Use {
    std::vector<std::uint16_t> reads, writes;
    std::vector<std::uint16_t> steers;  ///< of the reads, those that decide the way, an address or who accesses memory
    std::vector<std::uint16_t> guards;  ///< of the reads, those that decide who executes it
    bool brings_data = false;
  };
  const Use& of(std::size_t instruction) const { return uses_[instruction]; }

 private:
  std::vector<Use> uses_;
};

/// How many of a warp's threads execute an instruction.
enum class Executed : std::uint8_t { kByNone, kBySome, kByAll };

/// The registers of one warp.
class WarpData {
 public:
  /// Follows an instruction. Returns the resource that holds data and steers (isa::resource_name), or -1. Where no
  /// thread executes it, its guard alone is read.
  int follow(const DataFlow::Use& use, Executed by);
  bool holds_data(int resource) const { return data_[static_cast<std::size_t>(resource)]; }

 private:
  std::bitset<isa::kResources> data_;
};

}  // namespace stc::gpu
