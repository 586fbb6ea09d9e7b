// SPDX-License-Identifier: Apache-2.0
// Device memory at addresses of the caller's choice, as captured launches need it: what they hold are addresses.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

namespace stc::silicon {

class PlacedMemory {
 public:
  struct Range {
    std::uint64_t address, bytes;
  };
  /// Maps what covers all of them. sim::UserError when the driver cannot give these addresses.
  explicit PlacedMemory(const std::vector<Range>& ranges);
  ~PlacedMemory();
  PlacedMemory(const PlacedMemory&) = delete;
  PlacedMemory& operator=(const PlacedMemory&) = delete;

 private:
  void reserve(const Range& range);
  void map(const Range& range);
  void release();

  std::vector<Range> reserved_, mapped_;
};

}  // namespace stc::silicon
