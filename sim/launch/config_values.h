// SPDX-License-Identifier: Apache-2.0
// Values that several readers of YAML files have: types, tiles, sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/mma/number_format.h"
#include "sim/config/config_node.h"
#include "sim/launch/element_type.h"

namespace stc::sim {

/// Bytes that a buffer or a heap of a run file may have.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

ElementType read_element_type(const ConfigNode& node);

/// What GEMMs are built for: f16, bf16, tf32 or s8.
isa::NumberFormat read_multiplicand_type(const ConfigNode& node);

/// A list of `count` sizes of a tile, each 1 to 4096.
std::vector<int> read_tile_sizes(const ConfigNode& node, std::size_t count);

}  // namespace stc::sim
