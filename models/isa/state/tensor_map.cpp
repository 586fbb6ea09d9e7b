// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace stc::isa {
namespace {

// Places of the fields, in bytes.
constexpr std::size_t kFormat = 0x08, kStrides = 0x0c, kStrideTops = 0x1c, kSizes = 0x20, kSteps = 0x34, kBoxes = 0x38,
                      kPixels = 0x3c, kBoxBytes = 0x40, kLineBytes = 0x48;

template <class T>
T read(const TensorMapBytes& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void write(TensorMapBytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct TypeFacts {
  const char* name;
  int bytes;
};
constexpr TypeFacts kTypes[] = {{"u8", 1},   {"u16", 2},  {"u32", 4},     {"s32", 4},     {"u64", 8},
                                {"s64", 8},  {"f16", 2},  {"f32", 4},     {"f32.ftz", 4}, {"f64", 8},
                                {"bf16", 2}, {"tf32", 4}, {"tf32.ftz", 4}};
const TypeFacts& facts_of(TensorType type) { return kTypes[static_cast<std::size_t>(type)]; }

constexpr std::uint32_t kTf32Flag = 1u << 16;
constexpr std::uint32_t kUnknownOfFormat = 0xfff8000e;  ///< bits of the format word that no known map sets

std::string hex(std::uint64_t value) {
  std::string digits;
  for (; value != 0 || digits.empty(); value >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  return "0x" + digits;
}
std::string dimensions_text(const TensorMap& map) { return "it has " + std::to_string(map.rank) + " dimensions"; }
std::string beyond(const char* what, std::uint64_t value, std::size_t dimension, const char* most) {
  return std::string(what) + " " + std::to_string(value) + " of dimension " + std::to_string(dimension) +
         " is not within 1 and " + most;
}

bool is_float(TensorType type) { return type >= TensorType::kF16; }

std::uint32_t format_of(const TensorMap& map) {
  const bool tf32 = map.type >= TensorType::kTf32;
  const auto like = tf32 ? (map.type == TensorType::kTf32 ? TensorType::kF32 : TensorType::kF32Flushed) : map.type;
  return (map.by_columns ? 1u : 0u) | static_cast<std::uint32_t>(map.rank - 1) << 4 |
         static_cast<std::uint32_t>(like) << 7 | static_cast<std::uint32_t>(map.interleave) << 11 |
         static_cast<std::uint32_t>(map.swizzle) << 13 | (map.fills_with_nan ? 1u << 15 : 0u) |
         (tf32 ? kTf32Flag : 0u) | static_cast<std::uint32_t>(map.promotion) << 17;
}

void decode_format(std::uint32_t word, TensorMap& map, std::string& problem) {
  map.by_columns = (word & 1) != 0;
  map.rank = static_cast<int>(word >> 4 & 7) + 1;
  auto type = word >> 7 & 15;
  if ((word & kTf32Flag) != 0) type = type == 7 ? 11 : type == 8 ? 12 : 15;
  map.interleave = static_cast<int>(word >> 11 & 3);
  map.swizzle = static_cast<int>(word >> 13 & 3);
  map.fills_with_nan = (word >> 15 & 1) != 0;
  map.promotion = static_cast<int>(word >> 17 & 3);
  if ((word & kUnknownOfFormat) != 0) {
    problem = "its format word " + hex(word) + " has bits that are none of its fields";
  } else if (map.rank > static_cast<int>(kMostDimensions)) {
    problem = dimensions_text(map);
  } else if (type >= std::size(kTypes)) {
    problem = "element type " + std::to_string(word >> 7 & 15) + " is unknown";
  } else if (map.interleave == 3) {
    problem = "interleave 3 is unknown";
  } else {
    map.type = static_cast<TensorType>(type);
  }
}

/// Bits of a corner in each dimension between the channels and the last one: as many as 16 bits hold.
int corner_bits(const TensorMap& map) { return map.rank == 3 ? 16 : map.rank == 4 ? 8 : 5; }

std::int32_t corner(std::uint32_t word, int from, int bits) {
  const auto sign = 1u << (bits - 1);
  return static_cast<std::int32_t>(((word >> from & ((1u << bits) - 1)) ^ sign) - sign);
}

/// Corners: the lower one in the lower half, the upper one in the upper half.
void decode_columns(const TensorMapBytes& bytes, TensorMap& map) {
  const int bits = corner_bits(map);
  const auto corners = read<std::uint32_t>(bytes, kBoxes);
  for (std::size_t d = 0; d < map.places(); ++d) {
    map.lower[d] = corner(corners, static_cast<int>(d) * bits, bits);
    map.upper[d] = corner(corners, 16 + static_cast<int>(d) * bits, bits);
  }
  map.pixels = read<std::uint32_t>(bytes, kPixels) + 1;
  map.box = {map.box[0], 1, 1, 1, 1};
}

void encode_columns(const TensorMap& map, TensorMapBytes& bytes) {
  const int bits = corner_bits(map);
  const std::uint32_t mask = (1u << bits) - 1;
  std::uint32_t corners = 0;
  for (std::size_t d = 0; d < map.places(); ++d) {
    corners |= (static_cast<std::uint32_t>(map.lower[d]) & mask) << (static_cast<int>(d) * bits);
    corners |= (static_cast<std::uint32_t>(map.upper[d]) & mask) << (16 + static_cast<int>(d) * bits);
  }
  write(bytes, kBoxes, corners);
  write(bytes, kPixels, map.pixels - 1);
}

std::string columns_problem(const TensorMap& map) {
  if (map.rank < 3) return "boxes by columns need three dimensions or more";
  const std::int32_t most = 1 << (corner_bits(map) - 1);
  for (std::size_t d = 0; d < map.places(); ++d) {
    for (const std::int32_t one : {map.lower[d], map.upper[d]}) {
      if (one < -most || one >= most)
        return "corner " + std::to_string(one) + " of dimension " + std::to_string(d + 1) + " is not within " +
               std::to_string(-most) + " and " + std::to_string(most - 1);
    }
  }
  if (map.pixels == 0 || map.pixels > 1024) return std::to_string(map.pixels) + " pixels are not within 1 and 1024";
  return "";
}

}  // namespace

int bytes_of(TensorType type) { return facts_of(type).bytes; }
const char* name_of(TensorType type) { return facts_of(type).name; }

bool driver_type(int number, TensorType& type) {
  using T = TensorType;
  constexpr T kNumbers[] = {T::kU8,  T::kU16, T::kU32,  T::kS32,        T::kU64,  T::kS64,        T::kF16,
                            T::kF32, T::kF64, T::kBf16, T::kF32Flushed, T::kTf32, T::kTf32Flushed};
  if (number < 0 || number >= static_cast<int>(std::size(kNumbers))) return false;
  type = kNumbers[number];
  return true;
}

TensorMap decode_tensor_map(const TensorMapBytes& bytes, std::string& problem) {
  TensorMap map;
  problem.clear();
  map.address = read<std::uint64_t>(bytes, 0);
  decode_format(read<std::uint32_t>(bytes, kFormat), map, problem);
  if (!problem.empty()) return map;
  const auto tops = read<std::uint32_t>(bytes, kStrideTops);
  const auto steps = read<std::uint32_t>(bytes, kSteps);
  const auto boxes = read<std::uint32_t>(bytes, kBoxes);
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d) {
    map.size[d] = std::uint64_t{read<std::uint32_t>(bytes, kSizes + 4 * d)} + 1;
    map.step[d] = (steps >> (3 * d) & 7) + 1;
    map.box[d] = (d == 0 ? steps >> 24 : boxes >> (8 * (d - 1)) & 0xff) + 1;
    if (d == 0) continue;
    const std::uint64_t top = tops >> (4 * (d - 1)) & 15;
    map.stride[d] = (top << 32 | read<std::uint32_t>(bytes, kStrides + 4 * (d - 1))) << 4;
  }
  if (map.by_columns && map.rank >= 3) decode_columns(bytes, map);
  problem = encoding_problem(map);
  return map;
}

TensorMapBytes encode_tensor_map(const TensorMap& map) {
  TensorMapBytes bytes{};
  write(bytes, 0, map.address);
  write(bytes, kFormat, format_of(map));
  std::uint32_t tops = 0, steps = (map.box[0] - 1) << 24, boxes = 0;
  auto counted = static_cast<std::uint32_t>(bytes_of(map.type));
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d) {
    write(bytes, kSizes + 4 * d, static_cast<std::uint32_t>(map.size[d] - 1));
    steps |= (map.step[d] - 1) << (3 * d);
    counted *= map.box[d] / map.step[d];
    if (d == 0) continue;
    write(bytes, kStrides + 4 * (d - 1), static_cast<std::uint32_t>(map.stride[d] >> 4));
    tops |= static_cast<std::uint32_t>(map.stride[d] >> 36 & 15) << (4 * (d - 1));
    boxes |= (map.box[d] - 1) << (8 * (d - 1));
  }
  write(bytes, kStrideTops, tops);
  write(bytes, kSteps, steps);
  write(bytes, kBoxes, boxes);
  if (map.by_columns) {
    encode_columns(map, bytes);
    counted = map.box_bytes();
  }
  write(bytes, kBoxBytes, counted);
  write(bytes, kLineBytes, map.swizzle == 0 ? std::uint32_t{0x10} : std::uint32_t{0x80} << map.swizzle);
  return bytes;
}

std::string encoding_problem(const TensorMap& map) {
  const std::uint64_t unit = map.interleave == 2 ? 32 : 16;
  if (map.rank < 1 || map.rank > static_cast<int>(kMostDimensions)) return dimensions_text(map);
  if (map.interleave != 0 && map.rank < 3) return "interleaved slices need three dimensions or more";
  if (map.address % unit != 0) return "address " + hex(map.address) + " is no multiple of " + std::to_string(unit);
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d) {
    if (map.size[d] == 0 || map.size[d] > std::uint64_t{1} << 32) return beyond("size", map.size[d], d, "2^32");
    if (map.box[d] == 0 || map.box[d] > 256) return beyond("box size", map.box[d], d, "256");
    if (map.step[d] == 0 || map.step[d] > 8) return beyond("element stride", map.step[d], d, "8");
    if (d != 0 && (map.stride[d] % unit != 0 || map.stride[d] >= std::uint64_t{1} << 40)) {
      return "stride " + std::to_string(map.stride[d]) + " of dimension " + std::to_string(d) + " is no multiple of " +
             std::to_string(unit) + " below 2^40";
    }
  }
  if (map.by_columns) {
    std::string problem = columns_problem(map);
    if (!problem.empty()) return problem;
  }
  const std::string row = "the box has " + std::to_string(map.row_bytes()) + " bytes in dimension 0, ";
  if (map.row_bytes() % 16 != 0) return row + "no multiple of 16";
  if (map.interleave == 0 && map.swizzle != 0 && map.row_bytes() > map.pitch())
    return row + "more than the " + std::to_string(map.pitch()) + " of its swizzle";
  if (map.interleave == 2 && map.swizzle != 1) return "interleaved slices of 32 bytes need the swizzle of 32 bytes";
  if (map.fills_with_nan && !is_float(map.type))
    return std::string("NaN fills no elements of type ") + name_of(map.type);
  return "";
}

std::string unmodelled_feature(const TensorMap& map) { return map.interleave != 0 ? "interleaved slices" : ""; }

}  // namespace stc::isa
