// SPDX-License-Identifier: Apache-2.0
// Contents of buffers as run files name them: raw bytes, compressed ones (.zst, .lz4), NumPy's arrays (.npy).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::sim {

/// The bytes that a buffer gets: of `x.bin.zst` and `x.bin.lz4` inflated, of `x.npy` without its header. UserError,
/// which names the file, when they cannot be had: cut off, damaged, an array in Fortran's order.
std::vector<std::uint8_t> read_data(const std::string& path);
/// The same with `place`, where a run file names the file, in front of messages.
std::vector<std::uint8_t> read_data(const std::string& path, const std::string& place);

/// Files from this size on are compressed where stcsim chooses.
constexpr std::size_t kWorthCompressing = 4096;
std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& bytes);

}  // namespace stc::sim
