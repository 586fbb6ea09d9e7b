// SPDX-License-Identifier: Apache-2.0
// The box that a tensor copy takes, row by row, and where a row lies in shared memory.
// Evidence: every byte of 41 boxes that an H200 loaded and stored: one to five dimensions, all swizzles, coordinates
//           before, across and beyond the tensor, steps (validation/measured/h200/tensor_tiles.csv); of 48 by columns
//           and of others that convert or fill (tensor_values.csv).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isa/state/tensor_map.h"

namespace stc::isa {

constexpr std::uint32_t kTilePart = 16;  ///< bytes that stay together

using TensorCoordinates = std::array<std::int32_t, kMostDimensions>;

/// Elements of a box that follow one another in dimension 0.
struct TileRow {
  std::uint32_t number = 0;
  std::uint32_t before = 0;   ///< bytes in front of the tensor
  std::uint32_t inside = 0;   ///< bytes after those that lie in it
  std::uint64_t address = 0;  ///< of these
};

/// Of im2col: how far the pixels lie from those of the box that they are counted in; 0 of the first and last dimension.
using TensorOffsets = std::array<std::int32_t, kMostDimensions>;

/// The next pixel of a box by columns.
inline void next_pixel(const TensorMap& map, TensorCoordinates& at) {
  for (std::size_t d = 0; d < map.places(); ++d) {
    at[d + 1] += static_cast<std::int32_t>(map.step[d + 1]);
    if (at[d + 1] < static_cast<std::int64_t>(map.size[d + 1]) + map.upper[d]) return;
    at[d + 1] = map.lower[d];
  }
  at[map.places() + 1] += static_cast<std::int32_t>(map.step[map.places() + 1]);
}

/// Calls `each` with the rows of the box at `at`.
template <class Each>
void for_each_row(const TensorMap& map, const TensorCoordinates& from, Each each, const TensorOffsets& offsets = {}) {
  TensorCoordinates at = from;
  const std::int64_t element = bytes_of(map.type), size = static_cast<std::int64_t>(map.size[0]);
  const std::int64_t begin = std::clamp<std::int64_t>(at[0], 0, size);
  const std::int64_t end = std::clamp<std::int64_t>(std::int64_t{at[0]} + map.box[0], 0, size);
  TileRow row;
  const std::uint32_t rows = map.rows();
  for (; row.number < rows; ++row.number) {
    std::uint32_t rest = row.number;
    bool inside = begin < end;
    row.address = map.address + static_cast<std::uint64_t>(begin * element);
    for (std::size_t d = 1; d < kMostDimensions; ++d) {
      std::int64_t place = std::int64_t{at[d]} + offsets[d];
      if (!map.by_columns) {
        place += std::int64_t{rest % map.taken(d)} * map.step[d];
        rest /= map.taken(d);
      }
      inside = inside && place >= 0 && place < static_cast<std::int64_t>(map.size[d]);
      row.address += static_cast<std::uint64_t>(place) * map.stride[d];
    }
    row.before = inside ? static_cast<std::uint32_t>((begin - at[0]) * element) : 0;
    row.inside = inside ? static_cast<std::uint32_t>((end - begin) * element) : 0;
    each(row);
    if (map.by_columns) next_pixel(map, at);
  }
}

/// Shared address of the part at `byte`, a multiple of kTilePart, of a row of a box that begins at `begin`.
inline std::uint32_t tile_place(const TensorMap& map, std::uint32_t begin, std::uint32_t row, std::uint32_t byte) {
  const std::uint32_t linear = begin + row * map.pitch() + byte;
  return linear ^ (linear >> 7 & ((1u << map.swizzle) - 1)) * kTilePart;
}

}  // namespace stc::isa
