// SPDX-License-Identifier: Apache-2.0
// How large an image in memory is, which a program hands over by its address alone.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::cuda {

/// The bytes of a container, of its wrapper or of a cubin; empty when they are none of these, or not all readable.
std::vector<std::uint8_t> image_bytes(const void* image);

}  // namespace stc::cuda
