// SPDX-License-Identifier: Apache-2.0
// What a buffer holds before the launch:
//
//   fill: zero
//   fill: {constant: {type: u32, value: 0x44444444}}         # floats: inf, -inf and nan, too
//   fill: {sequence: {type: i32, start: 0, step: 1}}
//   fill: {random_f16: {seed: 1, low: -1, high: 1}}          # uniform; any element type: random_i8, random_f32 ...
//   fill: {integers: {type: f16, seed: 1, low: -4, high: 4}} # uniform whole numbers, ends included, in any type
//   fill: {random_bits: {seed: 1}}                           # every bit pattern
//   fill: {file: a.bin}                                      # raw bytes, exactly as many as the buffer has
//
// A value that its type cannot hold is refused, also one that a sequence comes to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "sim/launch/element_type.h"

namespace stc::sim {

struct Fill {
  enum class Kind : std::uint8_t { kZero, kConstant, kSequence, kRandom, kIntegers, kRandomBits, kFile, kGiven };
  Kind kind = Kind::kZero;
  ElementType type = ElementType::u8;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;
  double low = 0;   ///< constant: the value; sequence: the first value
  double high = 0;  ///< sequence: the step
  std::string file;
  std::shared_ptr<const std::vector<std::uint8_t>> given;  ///< kGiven: bytes that the caller has in memory
  std::string place;                                       ///< in the run file
};

Fill read_fill(const ConfigNode& node);
/// Of `file: a.bin` in the place of `fill`.
Fill read_file_fill(const ConfigNode& file);

/// Fills all of `data`, whose size is a multiple of the element size. UserError when a sequence leaves its type.
void apply_fill(const Fill& fill, std::vector<std::uint8_t>& data);

}  // namespace stc::sim
