// SPDX-License-Identifier: Apache-2.0
// A tensor map as an argument of a kernel, described as cuTensorMapEncodeTiled is told of it.
#pragma once

#include "sim/launch/arguments.h"

namespace stc::sim {

/// {buffer: A, offset: 256, type: f16, sizes: [64, 128], strides: [128], box: [64, 8], steps: [1, 1], swizzle: 128,
/// promotion: 128, fill: nan}: dimension 0, the innermost one, first; strides in bytes, of the dimensions behind it.
/// UserError where the driver would refuse the map, or what it asks for is not modelled.
Argument read_tensor_map(const ConfigNode& node);

}  // namespace stc::sim
