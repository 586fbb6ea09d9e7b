// SPDX-License-Identifier: Apache-2.0
// What an atomic operation or a reduction makes of a number in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/isa/instruction.h"

namespace stc::isa {

struct AtomicForm {
  AtomicOp op = AtomicOp::kAdd;
  ScalarType type = ScalarType::kU32;  ///< f16 and bf16 by pairs: kF16x2, kBf16x2
  bool ftz = false;                    ///< f32: subnormals are zeros
};

/// `compare` is looked at by compare-and-swap alone. `known` becomes false where the operation is not modelled for the
/// type.
std::uint64_t atomic_value(const AtomicForm& form, std::uint64_t old, std::uint64_t operand, std::uint64_t compare,
                           bool& known);

/// Of a number, or of a pair of 16-bit ones.
std::size_t element_bytes(ScalarType type);

/// Element by element, `bytes` a multiple of element_bytes(). The operation is one that atomic_value() knows.
void reduce_elements(const AtomicForm& form, std::uint8_t* to, const std::uint8_t* from, std::size_t bytes);

/// Puts `bytes` of `from` there, or reduces what is there by them.
void put_part(const std::optional<AtomicForm>& reduction, std::uint8_t* to, const void* from, std::size_t bytes);

}  // namespace stc::isa
