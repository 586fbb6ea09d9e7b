// SPDX-License-Identifier: Apache-2.0
// Devices and contexts of the driver's interface. There is one of each; a context is a mark that threads keep.
#include <cstring>

#include "sim/cudart/connection.h"
#include "sim/cudart/device_attributes.h"
#include "sim/cudart/limits.h"
#include "sim/cudart/not_supported.h"
#include "sim/cudart/reset.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr unsigned kMapHost = 8;
constexpr int kVersion = 13000, kInvalidDevice = 101, kInvalidContext = 201;
char context_mark;
thread_local void* current = nullptr;

int on_device(int device) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return device == 0 ? 0 : kInvalidDevice;
}
int with_context() {
  const int error = Connection::get().ready();
  return error != 0 || current != nullptr ? error : kInvalidContext;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return Connection::get().ready(); }
int cuDriverGetVersion(int* version) { return *version = kVersion, 0; }
int cuDeviceGetCount(int* count) { return *count = 1, Connection::get().ready(); }
int cuDeviceGet(int* device, int ordinal) { return *device = 0, on_device(ordinal); }
int cuDeviceGetName(char* name, int bytes, int device) {
  if (const int error = on_device(device); error != 0 || bytes <= 0) return error;
  std::strncpy(name, Connection::get().facts().name, static_cast<std::size_t>(bytes) - 1);
  return name[bytes - 1] = '\0', 0;
}
int cuDeviceGetUuid_v2(void* uuid, int device) { return std::memset(uuid, 0, 16), on_device(device); }
int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  if (const int error = on_device(device); error != 0) return error;
  return *bytes = Connection::get().facts().memory_bytes, 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (const int error = on_device(device); error != 0) return error;
  const auto known = attribute_of(Connection::get().facts(), attribute);
  return known ? (*value = *known, 0) : stc::remote::kInvalidValue;
}

int cuDevicePrimaryCtxRetain(void** context, int device) { return *context = &context_mark, on_device(device); }
int cuDevicePrimaryCtxRelease_v2(int device) { return on_device(device); }
int cuDevicePrimaryCtxReset_v2(int device) {
  const int error = on_device(device);
  return error != 0 ? error : reset_device();
}
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned) { return on_device(device); }
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return *flags = 0, *active = 1, on_device(device);
}
int cuCtxCreate_v2(void** context, unsigned, int device) {
  const int error = on_device(device);
  return *context = error == 0 ? (current = &context_mark) : nullptr, error;
}
int cuCtxCreate_v4(void** context, const void*, unsigned flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}
int cuCtxDestroy_v2(void*) { return current = nullptr, Connection::get().ready(); }
int cuCtxSetCurrent(void* context) { return current = context, Connection::get().ready(); }
int cuCtxGetCurrent(void** context) { return *context = current, Connection::get().ready(); }
int cuCtxPushCurrent_v2(void* context) { return current = context, Connection::get().ready(); }
int cuCtxPopCurrent_v2(void** context) { return *context = current, Connection::get().ready(); }
int cuCtxGetDevice(int* device) { return *device = 0, with_context(); }
int cuCtxSynchronize() { return with_context(); }
int cuCtxGetApiVersion(void*, unsigned* version) { return *version = 3020, Connection::get().ready(); }
int cuCtxSetLimit(int limit, std::size_t bytes) {
  const int error = set_device_limit(limit, bytes);
  return error != kLimitNotThere ? error : driver_not_supported("cuCtxSetLimit (another limit)");
}
int cuCtxGetLimit(std::size_t* bytes, int limit) {
  const int error = device_limit(limit, bytes);
  return error != kLimitNotThere ? error : driver_not_supported("cuCtxGetLimit (another limit)");
}
int cuCtxGetFlags(unsigned* flags) { return *flags = kMapHost, with_context(); }
int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return *least = 0, *greatest = kGreatestPriority, with_context();
}
int cuCtxGetCacheConfig(int* config) { return *config = 0, with_context(); }
int cuCtxSetCacheConfig(int) { return with_context(); }  // a hint
int cuDeviceCanAccessPeer(int* can, int device, int other) {
  const int error = on_device(device);
  return *can = 0, error != 0 ? error : on_device(other);
}
int cuDeviceComputeCapability(int* major, int* minor, int device) {
  const int error = on_device(device);
  const int version = error == 0 ? static_cast<int>(Connection::get().facts().sm_version) : 0;
  return *major = version / 10, *minor = version % 10, error;
}
int cuDeviceGetPCIBusId(char* text, int length, int device) {
  if (const int error = on_device(device); error != 0) return error;
  constexpr char kId[] = "0000:00:00.0";
  if (length < static_cast<int>(sizeof kId)) return stc::remote::kInvalidValue;
  return std::memcpy(text, kId, sizeof kId), 0;
}
int cuProfilerStart() { return Connection::get().ready(); }
int cuProfilerStop() { return Connection::get().ready(); }
}
