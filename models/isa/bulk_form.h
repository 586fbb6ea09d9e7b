// SPDX-License-Identifier: Apache-2.0
// What a bulk copy (UBLK*, UTMA*) has of its own, as `mod.variant` of the instruction keeps it.
#pragma once

#include <cstdint>

namespace stc::isa {

struct BulkForm {
  int dimensions = 0;        ///< of the tensor, 1 to 5; 0: a block of bytes
  bool to_shared = false;    ///< of blocks: the destination is in shared memory
  bool from_shared = false;  ///< of blocks: the source is
  bool by_columns = false;   ///< .IM2COL
  bool multicast = false;    ///< to several CTAs of the cluster

  std::uint16_t bits() const {
    return static_cast<std::uint16_t>(dimensions | (to_shared ? 8 : 0) | (from_shared ? 16 : 0) |
                                      (by_columns ? 32 : 0) | (multicast ? 64 : 0));
  }
  static BulkForm of(std::uint16_t bits) {
    return {bits & 7, (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0, (bits & 64) != 0};
  }
};

}  // namespace stc::isa
