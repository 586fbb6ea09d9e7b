// SPDX-License-Identifier: Apache-2.0
// What a buffer must hold when the launches have ended, and whether it does:
//   expect:
//     - {buffer: D, file: d.bin}                                # bit for bit
//     - {buffer: E, file: e.npy, type: f32, tolerance: 1e-5}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/config/config_node.h"
#include "sim/launch/element_type.h"

namespace stc::sim {

struct Expectation {
  std::string buffer;  ///< or a __device__ variable of the last launch's `symbols`, as it is named there
  std::string file;
  std::optional<ElementType> type;  ///< none: bytes
  double tolerance = 0;             ///< times the expected magnitude, or 1 where that is less
  std::string place;                ///< in the run file
  std::vector<std::uint8_t> bytes;  ///< once they are read
};

struct ExpectationResult {
  std::string buffer;
  bool passed = false;
  std::uint64_t elements = 0, wrong = 0;
  double greatest_error = 0;   ///< over max(1, expected magnitude); infinite where one is no number and the other is
  std::string first_mismatch;  ///< "element 3 is 1.5, must be 2"; empty when it passed
};

/// An element of `expect`; the file is not read yet.
Expectation read_expectation(const ConfigNode& node);

/// Reads its file. UserError, with the place, when that holds another number of bytes than the buffer.
void load_expectation(Expectation& expectation, std::uint64_t buffer_bytes);

ExpectationResult check_expectation(const Expectation& expectation, const isa::BufferBytes& contents);

}  // namespace stc::sim
