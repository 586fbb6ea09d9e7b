// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/capture/device_calls.h"

namespace stc::capture {
namespace {

constexpr int kCopyByAddress = 4;
constexpr int kStackLimit = 0, kHeapLimit = 2;
constexpr int kMajorAttribute = 75, kMinorAttribute = 76;

bool synchronise_runtime() { return quiet<int()>("cudaDeviceSynchronize"); }

bool copy_by_runtime(std::uint64_t address, std::vector<std::uint8_t>& to) {
  if (to.empty()) return true;
  return quiet<int(void*, const void*, std::size_t, int)>(
      "cudaMemcpy", static_cast<void*>(to.data()), reinterpret_cast<const void*>(address), to.size(), kCopyByAddress);
}

bool runtime_captures(void* stream) {
  int status = 0;
  quiet<int(void*, int*)>("cudaStreamIsCapturing", stream, &status);
  return status != 0;
}

void describe_by_runtime(RecordedLaunch& launch) {
  int device = 0, major = 0, minor = 0;
  quiet<int(int*)>("cudaGetDevice", &device);
  quiet<int(int*, int, int)>("cudaDeviceGetAttribute", &major, kMajorAttribute, device);
  quiet<int(int*, int, int)>("cudaDeviceGetAttribute", &minor, kMinorAttribute, device);
  launch.sm_version = 10 * major + minor;
  quiet<int(std::size_t*, int)>("cudaDeviceGetLimit", reinterpret_cast<std::size_t*>(&launch.stack_bytes), kStackLimit);
  quiet<int(std::size_t*, int)>("cudaDeviceGetLimit", reinterpret_cast<std::size_t*>(&launch.heap_bytes), kHeapLimit);
}

/// The driver keeps no last error.
template <class Function, class... Arguments>
bool driver(const char* name, Arguments... arguments) {
  auto* const function = behind<Function>(name);
  return function != nullptr && function(arguments...) == 0;
}

bool synchronise_driver() { return driver<int()>("cuCtxSynchronize"); }

bool copy_by_driver(std::uint64_t address, std::vector<std::uint8_t>& to) {
  if (to.empty()) return true;
  return driver<int(std::uint64_t, std::uint64_t, std::size_t)>("cuMemcpy", reinterpret_cast<std::uint64_t>(to.data()),
                                                                address, to.size());
}

bool driver_captures(void* stream) {
  int status = 0;
  driver<int(void*, int*)>("cuStreamIsCapturing", stream, &status);
  return status != 0;
}

void describe_by_driver(RecordedLaunch& launch) {
  int device = 0, major = 0, minor = 0;
  driver<int(int*)>("cuCtxGetDevice", &device);
  driver<int(int*, int, int)>("cuDeviceGetAttribute", &major, kMajorAttribute, device);
  driver<int(int*, int, int)>("cuDeviceGetAttribute", &minor, kMinorAttribute, device);
  launch.sm_version = 10 * major + minor;
  driver<int(std::size_t*, int)>("cuCtxGetLimit", reinterpret_cast<std::size_t*>(&launch.stack_bytes), kStackLimit);
  driver<int(std::size_t*, int)>("cuCtxGetLimit", reinterpret_cast<std::size_t*>(&launch.heap_bytes), kHeapLimit);
}

}  // namespace

const DeviceCalls& runtime_device() {
  static const DeviceCalls calls{synchronise_runtime, copy_by_runtime, runtime_captures, describe_by_runtime};
  return calls;
}

const DeviceCalls& driver_device() {
  static const DeviceCalls calls{synchronise_driver, copy_by_driver, driver_captures, describe_by_driver};
  return calls;
}

}  // namespace stc::capture
