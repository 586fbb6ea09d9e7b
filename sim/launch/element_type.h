// SPDX-License-Identifier: Apache-2.0
// Element types of buffers and kernel arguments, and how a number becomes their bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stc::sim {

enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, tf32, e4m3, e5m2, f32, f64 };

const char* name_of(ElementType type);
std::vector<std::string> element_type_names();
/// "f16" and so on; "s8" .. "s64" are other spellings of "i8" .. "i64".
std::optional<ElementType> element_type_of(std::string_view name);
int bytes_of(ElementType type);
bool is_integer(ElementType type);
/// Least and greatest value of an integer type (u64 and i64: limited to the range of i64).
std::int64_t least_of(ElementType type);
std::int64_t greatest_of(ElementType type);

/// Greatest finite value of a type of floats.
double greatest_finite(ElementType type);

/// Whether a value lies between the least and the greatest one of the type; infinities of floats do.
bool holds(ElementType type, double value);
/// "u8 holds 0 .. 255".
std::string range_text(ElementType type);

/// Little-endian bits of the value nearest to `value`: floats by way of f32 and round to nearest even.
std::uint64_t encode(ElementType type, double value);
std::uint64_t encode_integer(ElementType type, std::int64_t value);
double decode(ElementType type, std::uint64_t bits);
/// encode() of each, one behind the other.
std::vector<std::uint8_t> encode_elements(const std::vector<float>& values, ElementType type);
/// Numbers become the nearest ones of the type.
void round_elements(std::vector<float>& values, ElementType type);

}  // namespace stc::sim
