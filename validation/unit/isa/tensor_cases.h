// SPDX-License-Identifier: Apache-2.0
// Rows of tensor_maps.csv and tensor_tiles.csv: what an H200 said of tensor maps and of boxes that they describe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/tensor_tile.h"

namespace stc::isa {

struct MapCase {
  int result = 0;  ///< of the driver's call
  TensorMap map;
  TensorMapBytes bytes{};
};
struct TileCase {
  std::string row, status;
  bool loads = true;
  TensorMap map;
  TensorCoordinates at{};
  std::uint32_t offset = 0, bytes = 0, shown = 0;
  std::uint64_t hash = 0;
  std::string what;                  ///< "load", "store", "convert"
  std::uint32_t column_offsets = 0;  ///< of im2col, as the instruction has them
};
std::vector<MapCase> measured_maps();
std::vector<TileCase> measured_tiles();
/// Of tensor_values.csv.
std::vector<TileCase> measured_tensor_values();
/// Of bulk_reductions.csv.
struct ReductionCase {
  std::string row, what, operation, type, status;
  std::uint32_t to = 0, lanes = 0, step = 0, bytes = 0;
  std::uint64_t hash = 0;
};
std::vector<ReductionCase> measured_reductions();

inline std::uint64_t fnv1a(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

}  // namespace stc::isa
