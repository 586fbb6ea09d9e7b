// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/half_select.h"

#include <algorithm>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/state/warp.h"

namespace stc::isa {
namespace {

constexpr int kRowsOfA = 16, kColumnsOfB = 8;

/// Nibbles are 0x4 or 0xE: bit 2 set, bit 0 clear, bits 3 and 1 equal.
bool legal(std::uint32_t word) {
  return (word & 0x55555555u) == 0x44444444u && ((word >> 2 ^ word) & 0x22222222u) == 0;
}

}  // namespace

bool splits_activations(const MmaOp& op, const std::uint32_t* e) {
  if (!op.sparse || bits_of(op.a) != 32 || !(op.pattern == nvidia_pattern(op.a))) return false;
  return !std::all_of(e, e + kWarpSize, legal);
}

void split_activations(const MmaOp& op, const std::uint32_t* b, const std::uint32_t* e, int selector,
                       std::uint32_t* b_out, std::uint16_t* select) {
  const auto half = [b](int group, int column, std::uint32_t index) {
    const std::uint32_t word = b[(2 * group + static_cast<int>(index >> 1)) * kColumnsOfB + column];
    return (index & 1) != 0 ? word >> 16 : word & 0xffffu;
  };
  for (int group = 0; group < op.k / 2; ++group) {
    for (std::uint32_t nibble = 0; nibble < kHalfCombinations; ++nibble) {
      for (int column = 0; column < kColumnsOfB; ++column) {
        *b_out++ = half(group, column, nibble >> 2) << 16 | half(group, column, nibble & 3);
      }
    }
  }
  const sparsity::MetadataLayout layout = metadata_layout(op);
  for (int row = 0; row < kRowsOfA; ++row) {
    for (int p = 0; p < op.stored_k(); ++p) {
      const auto place = layout.place(row, p, selector % layout.selectors());
      const std::uint32_t nibble = e[place.reg * kWarpSize + place.lane] >> place.bit & 15u;
      *select++ = static_cast<std::uint16_t>(p * kHalfCombinations + static_cast<int>(nibble));
    }
  }
}

}  // namespace stc::isa
