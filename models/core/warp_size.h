// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace stc {

constexpr int kWarpSize = 32;  ///< lanes of a warp

}  // namespace stc
