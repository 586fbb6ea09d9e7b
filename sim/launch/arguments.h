// SPDX-License-Identifier: Apache-2.0
// Kernel arguments and the parameter block that they are packed into.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "sim/config/config_node.h"

namespace stc::sim {

/// An address of a buffer that a struct, or another buffer, holds.
struct HeldPointer {
  std::size_t at = 0;  ///< bytes from its begin
  std::string buffer;
  std::uint64_t offset = 0;  ///< added to the buffer's address
  std::string key;           ///< `at` as it was written
};

/// One argument: the address of a buffer (plus an offset), or literal bytes, in which addresses may stand.
struct Argument {
  std::string buffer;        ///< empty: `bytes` is the argument
  std::uint64_t offset = 0;  ///< added to the buffer's address
  std::vector<std::uint8_t> bytes;
  std::vector<HeldPointer> pointers;  ///< written over `bytes`
  std::string spelling;               ///< as written, for messages: "i32: 4096"
  std::string place;                  ///< where it was written: "run.yaml:9:12: launch.args.1"; may be empty

  static Argument address_of(const std::string& buffer);
  static Argument i32(std::int32_t value);
  std::size_t size() const { return buffer.empty() ? bytes.size() : 8; }
};

/// {8: A, 112: {buffer: B, offset: 4096}}: where addresses lie in a struct or buffer of so many bytes.
std::vector<HeldPointer> read_pointers(const ConfigNode& node, std::size_t bytes);

/// An element of `args`: a buffer's name, {i32: 4096}, {f32: 1.0}, {buffer: A, offset: 256}, {hex: "00ff"},
/// {tensor_map: {...}} (tensor_argument.h) or {hex: "...", at: {8: A, 112: {buffer: B, offset: 4096}}}.
Argument read_argument(const ConfigNode& node);

/// The parameter block. UserError when count or sizes are not those of the kernel; it starts with the argument's place,
/// or with `place` when the count is wrong.
std::vector<std::uint8_t> pack_arguments(const std::vector<Argument>& arguments,
                                         const std::vector<isa::KernelParameter>& parameters, const std::string& kernel,
                                         const std::function<std::uint64_t(const std::string&)>& address_of_buffer,
                                         const std::string& place = "");

}  // namespace stc::sim
