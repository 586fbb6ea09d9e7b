// SPDX-License-Identifier: Apache-2.0
// The one device, by the driver's interface.
#include <cstring>

#include "sim/cudart/connection.h"
#include "sim/cudart/device_attributes.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kVersion = 13000, kInvalidDevice = 101;

int on_device(int device) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return device == 0 ? 0 : kInvalidDevice;
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
