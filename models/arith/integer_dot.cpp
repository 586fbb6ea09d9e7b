// SPDX-License-Identifier: Apache-2.0
#include "models/arith/integer_dot.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "models/arith/vector_clones.h"

namespace stc::arith {
namespace {

using V8i = std::int32_t __attribute__((vector_size(32)));

STC_VECTOR_CLONES void dot_rows(const TileShape& shape, const std::int32_t* a, const V8i* b,
                                const std::uint16_t* select, V8i* sum) {
  for (int row = 0; row < shape.rows; ++row) {
    V8i total{};
    for (int p = 0; p < shape.depth; ++p) {
      const int i = row * shape.depth + p;
      total += b[select == nullptr ? p : select[i]] * a[i];
    }
    sum[row] = total;
  }
}

}  // namespace

void integer_tile(const TileShape& shape, bool saturate, const std::int32_t* a, const std::int32_t* b,
                  const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d) {
  V8i b_rows[kMaxTileBRows];
  V8i sums[kMaxTileRows];
  std::memcpy(b_rows, b, static_cast<std::size_t>(shape.b_rows) * sizeof(V8i));
  dot_rows(shape, a, b_rows, select, sums);
  for (int row = 0; row < shape.rows; ++row) {
    for (int column = 0; column < kTileColumns; ++column) {
      const int i = row * kTileColumns + column;
      std::int64_t total = std::int64_t{sums[row][column]} + static_cast<std::int32_t>(c[i]);
      if (saturate) {
        total = std::clamp<std::int64_t>(total, std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::int32_t>::max());
      }
      d[i] = static_cast<std::uint32_t>(total);
    }
  }
}

}  // namespace stc::arith
