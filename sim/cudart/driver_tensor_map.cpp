// SPDX-License-Identifier: Apache-2.0
// Tensor maps, which a program makes on the host and gives its kernels as parameters.
#include <cstring>

#include "models/isa/state/tensor_map.h"
#include "sim/cudart/connection.h"

namespace {

using namespace stc;

int refused(const char* call, const std::string& problem) {
  cuda::say_once(call + (": invalid value: " + problem));
  return remote::kInvalidValue;
}

/// What both calls are given.
struct Given {
  int type;
  unsigned rank;
  void* address;
  const std::uint64_t* sizes;
  const std::uint64_t* strides;
  const unsigned* steps;
  int interleave, swizzle, promotion, nan;
};

/// Reads it into `map` and says what is wrong with it.
std::string read_given(const Given& from, isa::TensorMap& map) {
  if (from.sizes == nullptr || from.steps == nullptr) return "a null pointer";
  if (from.rank == 0 || from.rank > isa::kMostDimensions) return "it has " + std::to_string(from.rank) + " dimensions";
  if (from.rank > 1 && from.strides == nullptr) return "a null pointer";
  if (!isa::driver_type(from.type, map.type)) return "data type " + std::to_string(from.type) + " is unknown";
  if (from.interleave < 0 || from.interleave > 2)
    return "interleave " + std::to_string(from.interleave) + " is unknown";
  if (from.swizzle < 0 || from.swizzle > 3)
    return "swizzle " + std::to_string(from.swizzle) + " is unknown, here and on an H200";
  if (from.promotion < 0 || from.promotion > 3) return "L2 promotion " + std::to_string(from.promotion) + " is unknown";
  map.address = reinterpret_cast<std::uint64_t>(from.address);
  map.rank = static_cast<int>(from.rank);
  map.interleave = from.interleave, map.swizzle = from.swizzle, map.promotion = from.promotion;
  map.fills_with_nan = from.nan != 0;
  for (unsigned d = 0; d < from.rank; ++d) {
    map.size[d] = from.sizes[d], map.step[d] = from.steps[d];
    if (d != 0) map.stride[d] = from.strides[d - 1];
  }
  return "";
}

int encode(const char* call, const isa::TensorMap& map, void* to) {
  const std::string problem = isa::encoding_problem(map);
  if (!problem.empty()) return refused(call, problem);
  const isa::TensorMapBytes bytes = isa::encode_tensor_map(map);
  std::memcpy(to, bytes.data(), bytes.size());
  return 0;
}

}  // namespace

extern "C" {

// The parameters are the driver's; null pointers are what it refuses, too. NOLINTNEXTLINE(readability-function-size)
int cuTensorMapEncodeTiled(void* to, int type, unsigned rank, void* address, const std::uint64_t* sizes,
                           const std::uint64_t* strides, const unsigned* box, const unsigned* steps, int interleave,
                           int swizzle, int promotion, int nan) {
  constexpr const char* kCall = "cuTensorMapEncodeTiled";
  isa::TensorMap map;
  std::string problem =
      read_given({type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, nan}, map);
  if (to == nullptr || box == nullptr) problem = "a null pointer";
  if (!problem.empty()) return refused(kCall, problem);
  for (unsigned d = 0; d < rank; ++d) map.box[d] = box[d];
  return encode(kCall, map, to);
}

// The parameters are the driver's. NOLINTNEXTLINE(readability-function-size)
int cuTensorMapEncodeIm2col(void* to, int type, unsigned rank, void* address, const std::uint64_t* sizes,
                            const std::uint64_t* strides, const int* lower, const int* upper, unsigned channels,
                            unsigned pixels, const unsigned* steps, int interleave, int swizzle, int promotion,
                            int nan) {
  constexpr const char* kCall = "cuTensorMapEncodeIm2col";
  isa::TensorMap map;
  std::string problem =
      read_given({type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, nan}, map);
  if (to == nullptr || lower == nullptr || upper == nullptr) problem = "a null pointer";
  if (!problem.empty()) return refused(kCall, problem);
  map.by_columns = true;
  map.box[0] = channels, map.pixels = pixels;
  for (unsigned d = 0; d + 2 < rank; ++d) map.lower[d] = lower[d], map.upper[d] = upper[d];
  return encode(kCall, map, to);
}

int cuTensorMapReplaceAddress(void* map, void* address) {
  if (map == nullptr || reinterpret_cast<std::uint64_t>(address) % 16 != 0) return remote::kInvalidValue;
  std::memcpy(map, &address, sizeof address);
  return 0;
}
}
