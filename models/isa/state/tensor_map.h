// SPDX-License-Identifier: Apache-2.0
// Models:   the tensor map (CUtensorMap): 128 bytes that say where a tensor lies in global memory and which box of it a
//           tensor copy takes.
// Evidence: what the driver of an H200 encodes, one field after the other (validation/measured/h200/tensor_maps.csv).
// Abstracts: interleaved slices, which are recognized and not loaded.
// Timing:   none here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stc::isa {

constexpr std::size_t kTensorMapBytes = 128;
constexpr std::size_t kMostDimensions = 5;
using TensorMapBytes = std::array<std::uint8_t, kTensorMapBytes>;

/// As the map numbers them, but for the last two.
enum class TensorType : std::uint8_t {
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF32Flushed,
  kF64,
  kBf16,
  kTf32,
  kTf32Flushed
};
int bytes_of(TensorType type);
const char* name_of(TensorType type);

/// Of one of the driver's numbers, CUtensorMapDataType, which are in another order; false: there is no such type.
bool driver_type(int number, TensorType& type);

/// Dimension 0 is the innermost one. What a map of fewer dimensions does not use is as it stands here.
struct TensorMap {
  std::uint64_t address = 0;
  TensorType type = TensorType::kU8;
  int rank = 1;
  int interleave = 0;  ///< 1: slices of 16 bytes, 2: of 32
  int swizzle = 0;     ///< lines of 16 << swizzle bytes, whose parts of 16 bytes change places; 0: none do
  int promotion = 0;   ///< of the L2: 64, 128, 256 bytes
  bool fills_with_nan = false;
  /// im2col: instead of a box a row of `pixels`, each with box[0] channels, taken one after the other from a box of
  /// dimensions 1 to rank - 2 that begins at `lower` and ends before size + `upper`; on to the next one of the last
  /// dimension.
  bool by_columns = false;
  std::uint32_t pixels = 1;
  std::array<std::int32_t, 3> lower{}, upper{};
  std::array<std::uint64_t, kMostDimensions> size{1, 1, 1, 1, 1};  ///< elements
  std::array<std::uint64_t, kMostDimensions> stride{};             ///< bytes; [0] is not looked at
  std::array<std::uint32_t, kMostDimensions> box{1, 1, 1, 1, 1};   ///< elements before steps
  std::array<std::uint32_t, kMostDimensions> step{1, 1, 1, 1, 1};  ///< element stride

  /// Bytes of a row of the box in global memory, and from one row to the next in shared memory.
  std::uint32_t row_bytes() const { return box[0] * static_cast<std::uint32_t>(bytes_of(type)); }
  std::uint32_t pitch() const { return swizzle == 0 ? row_bytes() : 16u << swizzle; }
  /// Of dimension `d` that the box takes. Steps of dimension 0 count only with interleaved slices.
  std::uint32_t taken(std::size_t d) const { return d == 0 ? box[0] : (box[d] + step[d] - 1) / step[d]; }
  std::uint32_t rows() const { return by_columns ? pixels : taken(1) * taken(2) * taken(3) * taken(4); }
  /// Dimensions between the channels and the last one.
  std::size_t places() const { return static_cast<std::size_t>(rank) - 2; }
  /// What a load counts at its mbarrier, however much of the box lies outside.
  std::uint32_t box_bytes() const { return row_bytes() * rows(); }
};

/// The map of these bytes. `problem` names the field that no encoder leaves so; empty: there is none.
TensorMap decode_tensor_map(const TensorMapBytes& bytes, std::string& problem);
/// The bytes that the driver makes of a map. To be called when there is no encoding_problem().
TensorMapBytes encode_tensor_map(const TensorMap& map);
/// Why cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col refuses the map (CUDA driver API); empty: it does not.
std::string encoding_problem(const TensorMap& map);
/// What the map asks for of which too little has been measured; empty: nothing.
std::string unmodelled_feature(const TensorMap& map);

}  // namespace stc::isa
