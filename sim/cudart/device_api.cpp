// SPDX-License-Identifier: Apache-2.0
// The one device and what it is like; versions; limits.
#include <cstdio>

#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/device_attributes.h"
#include "sim/cudart/device_properties.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/limits.h"
#include "sim/cudart/reset.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kInvalidDevice = 101, kPeerAccessUnsupported = 217, kPeerAccessNotEnabled = 705;
constexpr int kVersion = STC_CUDART_MAJOR >= 13 ? 13000 : 12080;
constexpr unsigned kMapHost = 8, kDeviceFlags = 0xff;

int check_device(int device) {
  if (const int error = Connection::get().reached(); error != 0) return finish(error);
  return device == 0 ? 0 : finish(kInvalidDevice);
}

}  // namespace

extern "C" {

int cudaGetDeviceCount(int* count) {
  if (count == nullptr) return finish(stc::remote::kInvalidValue);
  const int error = Connection::get().reached();
  return *count = error == 0 ? 1 : 0, finish_question(error);
}
int cudaGetDevice(int* device) {
  if (device == nullptr) return finish(stc::remote::kInvalidValue);
  return *device = 0, finish_question(Connection::get().reached());
}
int cudaSetDevice(int device) { return finish(check_device(device)); }
int cudaInitDevice(int device, unsigned, unsigned) { return check_device(device); }
int cudaSetValidDevices(int*, int) { return finish_question(Connection::get().ready()); }
int cudaSetDeviceFlags(unsigned flags) {
  if ((flags & ~kDeviceFlags) != 0) return finish(stc::remote::kInvalidValue);
  return finish_question(Connection::get().ready());
}
int cudaGetDeviceFlags(unsigned* flags) { return *flags = kMapHost, finish_question(Connection::get().ready()); }
int cudaChooseDevice(int* device, const void*) { return *device = 0, finish_question(Connection::get().ready()); }
int cudaDeviceSynchronize() {
  const int error = Connection::get().ready();
  return finish_wait(error != 0 ? error : forbid_while_capturing());
}
int cudaDeviceReset() {
  const int error = Connection::get().reached();
  if (error != 0) return finish(error);
  if (Connection::get().ready() != 0) return Connection::get().make_sticky(stc::remote::kDevicesUnavailable), 0;
  return finish_question(reset_device());
}
int cudaThreadExit() { return cudaDeviceReset(); }
int cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

#if STC_CUDART_MAJOR >= 13
int cudaGetDeviceProperties(void* properties, int device) {
#else
int cudaGetDeviceProperties_v2(void* properties, int device) {
#endif
  if (properties == nullptr) return finish(stc::remote::kInvalidValue);
  if (const int error = check_device(device); error != 0) return error;
  fill_properties(Connection::get().facts(), static_cast<std::uint8_t*>(properties));
  return 0;
}

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  if (const int error = check_device(device); error != 0) return error;
  const auto known = attribute_of(Connection::get().facts(), attribute);
  if (!known || value == nullptr) return finish(stc::remote::kInvalidValue);
  return *value = *known, 0;
}

int cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (const int error = check_device(device); error != 0) return error;
  constexpr char kId[] = "0000:00:00.0";
  if (length < static_cast<int>(sizeof kId)) return finish(stc::remote::kInvalidValue);
  return __builtin_memcpy(text, kId, sizeof kId), 0;
}
int cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  if (device == nullptr || text == nullptr) return finish(stc::remote::kInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  const bool is_id = std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4;
  if (!is_id) return finish(stc::remote::kInvalidValue);
  return domain + bus + slot + function == 0 ? (*device = 0, 0) : finish(kInvalidDevice);
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
int cudaDeviceDisablePeerAccess(int device) {
  const int error = check_device(device);
  return finish(error != 0 ? error : kPeerAccessNotEnabled);
}
/// There is no other device that a pair could be made of.
int cudaDeviceGetP2PAttribute(int*, int, int, int) {
  const int error = Connection::get().ready();
  return finish(error != 0 ? error : kInvalidDevice);
}
int cudaCtxResetPersistingL2Cache() { return finish(Connection::get().ready()); }  // nothing persists
int cudaDeviceGetCacheConfig(int* config) { return *config = 0, finish(Connection::get().ready()); }
int cudaDeviceSetCacheConfig(int) { return finish(Connection::get().ready()); }

int cudaDeviceSetLimit(int limit, std::size_t bytes) {
  const int error = set_device_limit(limit, bytes);
  if (error != kLimitNotThere) return finish(error);
  return not_supported("cudaDeviceSetLimit (another limit than stack, printf and malloc heap)");
}
int cudaDeviceGetLimit(std::size_t* bytes, int limit) {
  const int error = device_limit(limit, bytes);
  if (error != kLimitNotThere) return finish(error);
  return not_supported("cudaDeviceGetLimit (another limit than stack, printf and malloc heap)");
}

int cudaRuntimeGetVersion(int* version) { return *version = kVersion, 0; }
int cudaDriverGetVersion(int* version) { return *version = kVersion, 0; }
int cudaProfilerStart() { return 0; }
int cudaProfilerStop() { return 0; }
}
