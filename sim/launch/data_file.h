// SPDX-License-Identifier: Apache-2.0
// Contents of buffers as run files name them: raw bytes, compressed ones (.zst, .lz4), NumPy's arrays (.npy).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/launch/element_type.h"

namespace stc::sim {

/// The bytes that a buffer gets: of `x.bin.zst` and `x.bin.lz4` inflated, of `x.npy` without its header. UserError,
/// which names the file, when they cannot be had: cut off, damaged, an array in Fortran's order.
std::vector<std::uint8_t> read_data(const std::string& path);

/// Files from this size on are compressed where stcsim chooses.
constexpr std::size_t kWorthCompressing = 4096;
std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& bytes);

/// Whether NumPy has the type; it has neither bf16 nor tf32 nor eight-bit floats.
bool numpy_has(ElementType type);
/// `bytes` behind the header of a .npy file. The type is one that numpy_has().
std::vector<std::uint8_t> numpy_file(ElementType type, const std::vector<std::uint64_t>& shape,
                                     const std::vector<std::uint8_t>& bytes);

}  // namespace stc::sim
