// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/binary_mma.h"

#include "models/arith/integer_dot.h"
#include "models/isa/mma/fragment_layout.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

void binary_mma_registers(const MmaOp& op, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                          std::uint32_t* d) {
  constexpr int kWord = 32;
  const auto word = [&](const std::uint32_t* image, const ElementPlace& place) {
    return image[place.reg * kWarpSize + place.lane];
  };
  for (int row = 0; row < op.m; ++row) {
    for (int column = 0; column < op.n; ++column) {
      std::uint32_t bits = 0;
      for (int k = 0; k < op.k; k += kWord) {
        const std::uint32_t of_a = word(a, place_in_a(op, row, k)), of_b = word(b, place_in_b(op, k, column));
        bits += static_cast<std::uint32_t>(__builtin_popcount(op.exclusive_or ? of_a ^ of_b : of_a & of_b));
      }
      const ElementPlace place = place_in_c(op, row, column);
      d[place.reg * kWarpSize + place.lane] = word(c, place) + bits;
    }
  }
}

/// The sum of a xor b is that of (1 - 2a) b and that of a: products again, with other weights.
void exclusive_or_tile(const arith::TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint32_t* c, std::uint32_t* d) {
  std::int32_t weight[arith::kMaxTileRows * arith::kMaxTileDepth];
  std::uint32_t start[arith::kMaxTileRows * arith::kTileColumns];
  for (int row = 0; row < shape.rows; ++row) {
    std::uint32_t ones = 0;
    for (int i = row * shape.depth; i < (row + 1) * shape.depth; ++i) {
      weight[i] = 1 - 2 * static_cast<std::int32_t>(a[i]);
      ones += a[i];
    }
    for (int i = row * arith::kTileColumns; i < (row + 1) * arith::kTileColumns; ++i) start[i] = c[i] + ones;
  }
  arith::integer_tile(shape, false, weight, reinterpret_cast<const std::int32_t*>(b), nullptr, start, d);
}

}  // namespace stc::isa
