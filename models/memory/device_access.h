// SPDX-License-Identifier: Apache-2.0
// What device memory moves when sectors of a line are asked for: whole accesses of HbmParams::access_bytes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/memory/line_request.h"

namespace stc::memory {

/// `sectors` and those that come with them.
inline std::uint8_t with_neighbours(std::uint8_t sectors, int access_bytes) {
  const int together = std::max(1, access_bytes / static_cast<int>(kSectorBytes));
  int all = 0;
  for (int first = 0; first < 4; first += together) {
    const int mask = ((1 << together) - 1) << first;
    if ((sectors & mask) != 0) all |= mask;
  }
  return static_cast<std::uint8_t>(all & kAllSectors);
}

/// Accesses that these sectors take.
inline int device_accesses(std::uint8_t sectors, int access_bytes) {
  const int together = std::max(1, access_bytes / static_cast<int>(kSectorBytes));
  return (sector_count(with_neighbours(sectors, access_bytes)) + together - 1) / together;
}

}  // namespace stc::memory
