// SPDX-License-Identifier: Apache-2.0
// An image in a file.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::cuda {

/// The bytes of the file, and zeros behind them, so that a header can be read whole; empty when it cannot be read.
std::vector<std::uint8_t> image_file(const char* path);

}  // namespace stc::cuda
