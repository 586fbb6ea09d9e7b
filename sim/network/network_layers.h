// SPDX-License-Identifier: Apache-2.0
// The layers that a network file may have, one row each: how its keys become work.
#pragma once

#include <vector>

#include "sim/network/network_file.h"

namespace stc::sim {

/// Reads an entry of `layers`: a layer, or `repeat` times a list of layers. UserError with the place.
void read_layers(const ConfigNode& list, const NetworkInput& input, int times, std::vector<LayerWork>& layers);

}  // namespace stc::sim
