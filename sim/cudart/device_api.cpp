// SPDX-License-Identifier: Apache-2.0
// The one device and what it is like; versions; limits.
#include <algorithm>

#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/device_attributes.h"
#include "sim/cudart/device_properties.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/launch.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kInvalidDevice = 101, kPeerAccessUnsupported = 217;
constexpr int kVersion = STC_CUDART_MAJOR >= 13 ? 13000 : 12080;
constexpr int kStackLimit = 0, kPrintfLimit = 1, kMallocHeapLimit = 2;
constexpr int kSyncDepthLimit = 3, kUnsupportedLimit = 215;
constexpr std::size_t kStackUnit = 16, kLeastPrintf = 512 << 10, kLeastHeap = 4 << 20;  // of an H200
constexpr unsigned kMapHost = 8, kDeviceFlags = 0xff;
constexpr int kLimits = 7;                           // that CUDA knows
constexpr std::size_t kPrintfBytesPerSm = 64 << 10;  // an H200 of 132 SMs says 8,650,752

struct Limits {
  std::size_t stack = 1024, printf_fifo = Connection::get().facts().sms * kPrintfBytesPerSm, malloc_heap = 8 << 20;
};
Limits& limits() {
  static Limits kept;
  return kept;
}

int check_device(int device) {
  if (const int error = Connection::get().reached(); error != 0) return finish(error);
  return device == 0 ? 0 : finish(kInvalidDevice);
}

}  // namespace

extern "C" {

int cudaGetDeviceCount(int* count) {
  const int error = Connection::get().reached();
  return *count = error == 0 ? 1 : 0, finish(error);
}
int cudaGetDevice(int* device) { return *device = 0, finish(Connection::get().reached()); }
int cudaSetDevice(int device) { return check_device(device); }
int cudaInitDevice(int device, unsigned, unsigned) { return check_device(device); }
int cudaSetValidDevices(int*, int) { return finish(Connection::get().ready()); }
int cudaSetDeviceFlags(unsigned flags) {
  if ((flags & ~kDeviceFlags) != 0) return finish(stc::remote::kInvalidValue);
  return finish(Connection::get().ready());
}
int cudaGetDeviceFlags(unsigned* flags) { return *flags = kMapHost, finish(Connection::get().ready()); }
int cudaChooseDevice(int* device, const void*) { return *device = 0, finish(Connection::get().ready()); }
int cudaDeviceSynchronize() {
  const int error = Connection::get().ready();
  return finish(error != 0 ? error : forbid_while_capturing());
}
/// Memory stays: a program that goes on afterwards would not find it on a GPU.
int cudaDeviceReset() {
  const int error = Connection::get().reached();
  if (Connection::get().ready() != error) Connection::get().make_sticky(stc::remote::kDevicesUnavailable);
  return finish(error);
}
int cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

#if STC_CUDART_MAJOR >= 13
int cudaGetDeviceProperties(void* properties, int device) {
#else
int cudaGetDeviceProperties_v2(void* properties, int device) {
#endif
  if (const int error = check_device(device); error != 0) return error;
  fill_properties(Connection::get().facts(), static_cast<std::uint8_t*>(properties));
  return 0;
}

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  if (const int error = check_device(device); error != 0) return error;
  const auto known = attribute_of(Connection::get().facts(), attribute);
  if (!known) return finish(stc::remote::kInvalidValue);
  return *value = *known, 0;
}

int cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (const int error = check_device(device); error != 0) return error;
  constexpr char kId[] = "0000:00:00.0";
  if (length < static_cast<int>(sizeof kId)) return finish(stc::remote::kInvalidValue);
  return __builtin_memcpy(text, kId, sizeof kId), 0;
}
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return *least = 0, *greatest = kGreatestPriority, finish(Connection::get().ready());
}
int cudaDeviceCanAccessPeer(int* can, int device, int other) {
  const int error = check_device(device);
  return *can = 0, error != 0 ? error : check_device(other);
}
int cudaDeviceEnablePeerAccess(int device, unsigned) {
  const int error = check_device(device);
  return finish(error != 0 ? error : kPeerAccessUnsupported);
}
int cudaDeviceGetCacheConfig(int* config) { return *config = 0, finish(Connection::get().ready()); }
int cudaDeviceSetCacheConfig(int) { return finish(Connection::get().ready()); }

int cudaDeviceSetLimit(int limit, std::size_t bytes) {
  using Limit = stc::remote::Limit;
  int error = Connection::get().ready();
  if (error == 0 && limit == kStackLimit) error = set_limit(Limit::kStack, bytes);
  if (error == 0 && limit == kMallocHeapLimit) error = set_limit(Limit::kMallocHeap, bytes);
  if (error != 0) return finish(error);
  switch (limit) {
    case kStackLimit: return limits().stack = (bytes + kStackUnit - 1) / kStackUnit * kStackUnit, 0;
    case kPrintfLimit: return limits().printf_fifo = std::max(bytes, kLeastPrintf), 0;  // it has no end here
    case kMallocHeapLimit: return limits().malloc_heap = std::max(bytes, kLeastHeap), 0;
    default:
      if (limit < 0 || limit >= kLimits) return finish(stc::remote::kInvalidValue);
      return not_supported("cudaDeviceSetLimit (another limit than stack, printf and malloc heap)");
  }
}
int cudaDeviceGetLimit(std::size_t* bytes, int limit) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  switch (limit) {
    case kStackLimit: return *bytes = limits().stack, 0;
    case kPrintfLimit: return *bytes = limits().printf_fifo, 0;
    case kMallocHeapLimit: return *bytes = limits().malloc_heap, 0;
    case kSyncDepthLimit: return finish(kUnsupportedLimit);
    default:
      if (limit < 0 || limit >= kLimits) return finish(stc::remote::kInvalidValue);
      return not_supported("cudaDeviceGetLimit (another limit than stack, printf and malloc heap)");
  }
}

int cudaRuntimeGetVersion(int* version) { return *version = kVersion, 0; }
int cudaDriverGetVersion(int* version) { return *version = kVersion, 0; }
int cudaProfilerStart() { return 0; }
int cudaProfilerStop() { return 0; }
}
