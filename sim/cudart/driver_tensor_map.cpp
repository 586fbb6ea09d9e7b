// SPDX-License-Identifier: Apache-2.0
// Tensor maps, which a program makes on the host and gives its kernels as parameters.
#include <cstring>

#include "models/isa/state/tensor_map.h"
#include "sim/cudart/connection.h"

namespace {

using namespace stc;

int refused(const std::string& problem) {
  cuda::say_once("cuTensorMapEncodeTiled: invalid value: " + problem);
  return remote::kInvalidValue;
}

}  // namespace

extern "C" {

// The parameters are the driver's; null pointers are what it refuses, too. NOLINTNEXTLINE(readability-function-size)
int cuTensorMapEncodeTiled(void* to, int type, unsigned rank, void* address, const std::uint64_t* sizes,
                           const std::uint64_t* strides, const unsigned* box, const unsigned* steps, int interleave,
                           int swizzle, int promotion, int nan) {
  if (to == nullptr || sizes == nullptr || box == nullptr || steps == nullptr) return refused("a null pointer");
  if (rank == 0 || rank > isa::kMostDimensions) return refused("it has " + std::to_string(rank) + " dimensions");
  if (rank > 1 && strides == nullptr) return refused("a null pointer");
  isa::TensorMap map;
  if (!isa::driver_type(type, map.type)) return refused("data type " + std::to_string(type) + " is unknown");
  if (interleave < 0 || interleave > 2) return refused("interleave " + std::to_string(interleave) + " is unknown");
  if (swizzle < 0 || swizzle > 3)
    return refused("swizzle " + std::to_string(swizzle) + " is unknown, here and on an H200");
  if (promotion < 0 || promotion > 3) return refused("L2 promotion " + std::to_string(promotion) + " is unknown");
  map.address = reinterpret_cast<std::uint64_t>(address);
  map.rank = static_cast<int>(rank);
  map.interleave = interleave, map.swizzle = swizzle, map.promotion = promotion, map.fills_with_nan = nan != 0;
  for (unsigned d = 0; d < rank; ++d) {
    map.size[d] = sizes[d], map.box[d] = box[d], map.step[d] = steps[d];
    if (d != 0) map.stride[d] = strides[d - 1];
  }
  const std::string problem = isa::encoding_problem(map);
  if (!problem.empty()) return refused(problem);
  const isa::TensorMapBytes bytes = isa::encode_tensor_map(map);
  std::memcpy(to, bytes.data(), bytes.size());
  return 0;
}

int cuTensorMapReplaceAddress(void* map, void* address) {
  if (map == nullptr || reinterpret_cast<std::uint64_t>(address) % 16 != 0) return remote::kInvalidValue;
  std::memcpy(map, &address, sizeof address);
  return 0;
}
}
