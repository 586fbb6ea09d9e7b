// SPDX-License-Identifier: Apache-2.0
// Launches of the driver's interface.
#include "sim/cudart/launch.h"

#include "sim/cudart/not_supported.h"
#include "sim/cudart/program.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

/// CUlaunchConfig.
struct DriverLaunch {
  Dim grid, block;
  unsigned dynamic_shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(DriverLaunch) == 56);

/// `extra`: pairs of a key and its value, an end.
Arguments arguments_of(void** parameters, void** extra) {
  const auto key = [](const void* word) { return reinterpret_cast<std::uintptr_t>(word); };
  constexpr std::uintptr_t kEnd = 0, kBlock = 1, kBlockBytes = 2;
  Arguments arguments;
  arguments.arguments = parameters;
  for (void** at = extra; at != nullptr && key(*at) != kEnd; at += 2) {
    if (key(*at) == kBlock) arguments.block = at[1];
    if (key(*at) == kBlockBytes) arguments.block_bytes = *static_cast<const std::size_t*>(at[1]);
  }
  return arguments;
}

int launch_kernel(Function* key, const stc::remote::LaunchShape& shape, void** parameters, void** extra, void* stream) {
  Function* function = nullptr;
  if (const int error = Program::get().function(key, &function); error != 0) return error;
  if (const int error = check_stream(stream); error != 0) return error;
  const int error =
      submit(stream, NodeKind::kKernel, prepared_launch(*function, shape, arguments_of(parameters, extra)));
  return error == stc::remote::kInvalidConfiguration ? stc::remote::kInvalidValue : error;
}

stc::remote::LaunchShape shape_of(const DriverLaunch& from) {
  stc::remote::LaunchShape shape{{from.grid.x, from.grid.y, from.grid.z},
                                 {from.block.x, from.block.y, from.block.z},
                                 {},
                                 from.dynamic_shared_bytes,
                                 0};
  apply_attributes(from.attributes, from.attribute_count, shape);
  return shape;
}

}  // namespace

extern "C" {

int cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared_bytes, void* stream, void** parameters, void** extra) {
  return launch_kernel(function, {{gx, gy, gz}, {bx, by, bz}, {}, shared_bytes, 0}, parameters, extra, stream);
}
int cuLaunchCooperativeKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared_bytes, void* stream, void** parameters) {
  return launch_kernel(function, {{gx, gy, gz}, {bx, by, bz}, {}, shared_bytes, 1}, parameters, nullptr, stream);
}
int cuLaunchKernelEx(const DriverLaunch* configuration, Function* function, void** parameters, void** extra) {
  return launch_kernel(function, shape_of(*configuration), parameters, extra, configuration->stream);
}
int cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  if (const int error = check_stream(stream); error != 0) return error;
  return submit(stream, NodeKind::kHost, [=] { return function(data), 0; });
}

int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* ctas, Function* key, int threads, std::size_t bytes,
                                                         unsigned) {
  Function* function = nullptr;
  if (const int error = Program::get().function(key, &function); error != 0) return error;
  return occupancy(*function, threads, bytes, ctas);
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* ctas, Function* key, int threads, std::size_t bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, key, threads, bytes, 0);
}
int cuOccupancyMaxActiveClusters(int* count, Function* key, const DriverLaunch* configuration) {
  Function* function = nullptr;
  if (const int error = Program::get().function(key, &function); error != 0) return error;
  return clusters(*function, shape_of(*configuration), count);
}
}
