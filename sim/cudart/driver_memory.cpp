// SPDX-License-Identifier: Apache-2.0
// Memory of the driver's interface.
#include <cstring>

#include "sim/cudart/connection.h"
#include "sim/cudart/context.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/not_supported.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

using Address = std::uint64_t;  // CUdeviceptr
constexpr std::size_t kPitch = 512;
constexpr int kAlreadyRegistered = 712, kNotRegistered = 713;

void* at(Address address) { return reinterpret_cast<void*>(address); }
int give_shared(void** pointer, std::size_t bytes, SharedKind kind) {
  Address address = 0;
  const int error = bytes == 0 ? stc::remote::kInvalidValue : allocate_shared(bytes, kind, &address);
  return error == 0 ? (*pointer = at(address), 0) : error;
}

/// CUDA_MEMCPY2D.
struct Copy2d {
  struct Place {
    std::size_t x, y;
    unsigned kind;
    void* host;
    Address device;
    void* array;
    std::size_t pitch;
  } from, to;
  std::size_t width, height;
};
static_assert(sizeof(Copy2d) == 128);

constexpr unsigned kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3, kUnifiedMemory = 4;

std::uint8_t* row_of(const Copy2d::Place& place, std::size_t row) {
  auto* const first =
      static_cast<std::uint8_t*>(place.kind == kHostMemory ? place.host : reinterpret_cast<void*>(place.device));
  return first + (place.y + row) * place.pitch + place.x;
}

int copy_rows(const Copy2d& of) {
  for (const Copy2d::Place* place : {&of.from, &of.to}) {
    if (place->kind == kArrayMemory) return driver_not_supported("cuMemcpy2D (of an array)");
    if (place->kind < kHostMemory || place->kind > kUnifiedMemory) return stc::remote::kInvalidValue;
    if (place->pitch != 0 && place->x + of.width > place->pitch) return stc::remote::kInvalidValue;
  }
  for (std::size_t row = 0; row < of.height; ++row) {
    const int error = copy(row_of(of.to, row), row_of(of.from, row), of.width, kByAddress);
    if (error != 0) return error;
  }
  return 0;
}

struct Rectangle {
  std::size_t width, height;  ///< elements, rows
};

int fill_rows(Address address, std::size_t pitch, unsigned value, unsigned element, const Rectangle& of) {
  if (address % element != 0 || pitch % element != 0 || (of.height > 1 && pitch < of.width * element)) {
    return stc::remote::kInvalidValue;
  }
  for (std::size_t row = 0; row < of.height; ++row) {
    if (const int error = fill(address + row * pitch, value, element, of.width * element); error != 0) return error;
  }
  return 0;
}

}  // namespace

extern "C" {

int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  return bytes == 0 ? stc::remote::kInvalidValue : allocate(bytes, address);
}
int cuMemAllocAsync(Address* address, std::size_t bytes, void*) { return cuMemAlloc_v2(address, bytes); }
int cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width, std::size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) return stc::remote::kInvalidValue;
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return cuMemAlloc_v2(address, *pitch * height);
}
int cuMemAllocManaged(Address* address, std::size_t bytes, unsigned) {
  void* pointer = nullptr;
  const int error = give_shared(&pointer, bytes, SharedKind::kManaged);
  return error == 0 ? (*address = reinterpret_cast<Address>(pointer), 0) : error;
}
int cuMemAllocHost_v2(void** pointer, std::size_t bytes) { return give_shared(pointer, bytes, SharedKind::kPinned); }
int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return give_shared(pointer, bytes, SharedKind::kPinned);
}
int cuMemHostGetDevicePointer_v2(Address* address, void* host, unsigned) {
  if (place_of(host) != Place::kPinned) return stc::remote::kInvalidValue;
  return *address = reinterpret_cast<Address>(host), 0;
}
int cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  if (pointer == nullptr || bytes == 0) return stc::remote::kInvalidValue;
  return register_host(pointer, bytes) ? 0 : kAlreadyRegistered;
}
int cuMemHostUnregister(void* pointer) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return unregister_host(pointer) ? 0 : kNotRegistered;
}
int cuMemFree_v2(Address address) { return free_memory(address); }
int cuMemFreeAsync(Address address, void*) { return free_memory(address); }
int cuMemFreeHost(void* pointer) { return free_memory(reinterpret_cast<Address>(pointer)); }

int cuMemcpy(Address to, Address from, std::size_t bytes) { return copy(at(to), at(from), bytes, kByAddress); }
int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void*) {
  return copy(at(to), at(from), bytes, kByAddress);
}
int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  return copy(at(to), from, bytes, kHostToDevice);
}
int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void*) {
  return copy(at(to), from, bytes, kHostToDevice);
}
int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) { return copy(to, at(from), bytes, kDeviceToHost); }
int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void*) {
  return copy(to, at(from), bytes, kDeviceToHost);
}
int cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
  return copy(at(to), at(from), bytes, kDeviceToDevice);
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void*) {
  return copy(at(to), at(from), bytes, kDeviceToDevice);
}
int cuMemsetD8_v2(Address address, unsigned char value, std::size_t count) { return fill(address, value, 1, count); }
int cuMemsetD16_v2(Address address, unsigned short value, std::size_t count) {
  return fill(address, value, 2, 2 * count);
}
int cuMemsetD32_v2(Address address, unsigned value, std::size_t count) { return fill(address, value, 4, 4 * count); }
int cuMemsetD8Async(Address address, unsigned char value, std::size_t count, void*) {
  return fill(address, value, 1, count);
}
int cuMemsetD16Async(Address address, unsigned short value, std::size_t count, void*) {
  return fill(address, value, 2, 2 * count);
}
int cuMemsetD32Async(Address address, unsigned value, std::size_t count, void*) {
  return fill(address, value, 4, 4 * count);
}

int cuMemGetInfo_v2(std::size_t* left, std::size_t* all) {
  stc::remote::Packet answer;
  const int error = Connection::get().ask(stc::remote::Request::kMemoryLeft, {}, answer);
  if (error != 0) return error;
  *left = answer.get<std::uint64_t>();
  *all = answer.get<std::uint64_t>();
  return 0;
}
int cuMemGetAddressRange_v2(Address* first, std::size_t* bytes, Address address) {
  stc::remote::Packet question, answer;
  question.put(address);
  const int error = Connection::get().ask(stc::remote::Request::kFindAddress, question, answer);
  if (error != 0) return error == stc::remote::kInvalidValue ? stc::remote::kNotFound : error;
  const auto found = answer.get<std::uint64_t>(), size = answer.get<std::uint64_t>();
  if (first != nullptr) *first = found;
  if (bytes != nullptr) *bytes = size;
  return 0;
}
int cuMemsetD2D8_v2(Address address, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return fill_rows(address, pitch, value, 1, {width, height});
}
int cuMemsetD2D16_v2(Address address, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
  return fill_rows(address, pitch, value, 2, {width, height});
}
int cuMemsetD2D32_v2(Address address, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill_rows(address, pitch, value, 4, {width, height});
}
int cuMemcpy2D_v2(const Copy2d* of) { return copy_rows(*of); }
int cuMemcpy2DUnaligned_v2(const Copy2d* of) { return copy_rows(*of); }
int cuMemcpy2DAsync_v2(const Copy2d* of, void*) { return copy_rows(*of); }
// Hints: there is one copy of managed memory.
int cuMemPrefetchAsync() { return Connection::get().ready(); }
int cuMemPrefetchAsync_v2() { return Connection::get().ready(); }
int cuMemAdvise() { return Connection::get().ready(); }
int cuMemAdvise_v2() { return Connection::get().ready(); }
/// CUmemAllocationProp begins with what is allocated and where: pinned memory of the device.
int cuMemGetAllocationGranularity(std::size_t* bytes, const int* properties, unsigned option) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  constexpr int kPinned = 1, kOnDevice = 1;
  if (const int error = Connection::get().ready(); error != 0) return error;
  if (bytes == nullptr || properties == nullptr || option > 1) return stc::remote::kInvalidValue;
  const int *type = properties, *place = properties + 2, *device = properties + 3;
  if (*type != kPinned || *place != kOnDevice || *device != 0) return stc::remote::kInvalidValue;
  return *bytes = kPage, 0;
}
int cuPointerGetAttribute(void* value, int attribute, Address address) {
  constexpr int kContext = 1, kMemoryType = 2, kDevicePointer = 3, kHostPointer = 4, kIsManaged = 8, kDeviceOrdinal = 9;
  if (const int error = Connection::get().ready(); error != 0) return error;
  const Place place = place_of(at(address));
  if (place == Place::kHost) return stc::remote::kInvalidValue;
  switch (attribute) {
    case kContext: return *static_cast<void**>(value) = context_in_use(), 0;
    case kMemoryType: return *static_cast<unsigned*>(value) = place == Place::kPinned ? 1 : 2, 0;
    case kDevicePointer: return *static_cast<Address*>(value) = address, 0;
    case kHostPointer:
      if (place == Place::kDevice) return stc::remote::kInvalidValue;
      return *static_cast<void**>(value) = at(address), 0;
    case kIsManaged: return *static_cast<unsigned*>(value) = place == Place::kManaged ? 1 : 0, 0;
    case kDeviceOrdinal: return *static_cast<int*>(value) = 0, 0;
    default: return driver_not_supported("cuPointerGetAttribute (another attribute than 1, 2, 3, 4, 8 and 9)");
  }
}
/// Of what is no memory of the device's all are zero.
int cuPointerGetAttributes(unsigned count, const int* attributes, void** values, Address address) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  if (attributes == nullptr || values == nullptr) return stc::remote::kInvalidValue;
  for (unsigned i = 0; i < count; ++i) {
    const int error = cuPointerGetAttribute(values[i], attributes[i], address);
    if (error == stc::remote::kInvalidValue) {
      const bool is_address = attributes[i] == 1 || attributes[i] == 3 || attributes[i] == 4;
      std::memset(values[i], 0, is_address ? sizeof(Address) : sizeof(int));
    } else if (error != 0) {
      return error;
    }
  }
  return 0;
}
}
