// SPDX-License-Identifier: Apache-2.0
// Buffers that a run writes to files when it has ended:
//   save: {D: d.bin, E: e.bin.zst, F: {file: f.npy, type: f32, shape: [64, 128]}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/config/config_node.h"
#include "sim/launch/element_type.h"

namespace stc::sim {

struct Save {
  std::string buffer;
  std::string file;                  ///< as written; its end says how: .npy, .zst, else raw bytes
  std::string folder;                ///< that `file` is relative to, unless the command line names another
  std::optional<ElementType> type;   ///< of .npy
  std::vector<std::uint64_t> shape;  ///< of .npy; empty: one dimension
  std::string place;                 ///< in the run file
};

/// `buffers` are the names that may be saved.
std::vector<Save> read_saves(const ConfigNode& node, const std::vector<std::string>& buffers);

/// UserError, with the place, when a buffer of so many bytes is no array of this type and shape.
void require_savable(const Save& save, std::uint64_t buffer_bytes);

/// What the file is to hold.
std::vector<std::uint8_t> saved_bytes(const Save& save, const isa::BufferBytes& contents);

}  // namespace stc::sim
