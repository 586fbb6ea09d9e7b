// SPDX-License-Identifier: Apache-2.0
// What recording asks of the GPU, by the interface that the program itself uses: CUDA's runtime or its driver. No error
// is left behind for the program to find.
#pragma once

#include <cstdint>
#include <vector>

#include "validation/gpu/capture/recorded.h"
#include "validation/gpu/capture/runtime_calls.h"

namespace stc::capture {

struct DeviceCalls {
  bool (*synchronise)();
  bool (*copy_out)(std::uint64_t address, std::vector<std::uint8_t>& to);  ///< as many bytes as `to` has
  bool (*is_capturing)(void* stream);
  void (*describe_device)(RecordedLaunch& launch);  ///< its architecture and limits
};
const DeviceCalls& runtime_device();
const DeviceCalls& driver_device();

/// A call of the runtime's function of this name; false where it fails or is not there.
template <class Function, class... Arguments>
bool quiet(const char* name, Arguments... arguments) {
  static auto* const peek = behind<int()>("cudaPeekAtLastError");
  static auto* const take = behind<int()>("cudaGetLastError");
  auto* const function = behind<Function>(name);
  if (function == nullptr) return false;
  const int before = peek();
  const bool done = function(arguments...) == 0;
  if (!done && before == 0) take();
  return done;
}

}  // namespace stc::capture
