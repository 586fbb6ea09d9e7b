// SPDX-License-Identifier: Apache-2.0
// "waterfall" of a result.
#pragma once

#include "sim/result/description.h"
#include "sim/result/waterfall.h"

namespace stc::sim {

const Description<Waterfall>& describe_waterfall();

}  // namespace stc::sim
