// SPDX-License-Identifier: Apache-2.0
// Allocations and pointers.
#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/memory_pools.h"
#include "sim/cudart/stream_capture.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr std::size_t kPitch = 512;
constexpr int kAlreadyRegistered = 712, kNotRegistered = 713;
constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;  // who sees managed memory first
constexpr unsigned kMappedHostMemory = 2, kHostFlags = 7;

int give(int error, std::uint64_t address, void** pointer) {
  if (error == 0) *pointer = reinterpret_cast<void*>(address);
  return finish(error);
}

int give_device(void** pointer, std::size_t bytes) {
  std::uint64_t address = 0;
  const int error = bytes == 0 ? Connection::get().reached() : allocate(bytes, &address);
  return give(error, address, pointer);
}

int free_pooled(void* pointer) {
  const int error = free_memory(number_of(pointer));
  if (error == 0) give_back(number_of(pointer));
  return error;
}

int give_shared(void** pointer, std::size_t bytes, SharedKind kind) {
  if (pointer == nullptr) return finish(stc::remote::kInvalidValue);
  if (const int error = forbid_in_captures(); error != 0) return finish(error);
  std::uint64_t address = 0;
  const int error = bytes == 0 ? Connection::get().ready() : allocate_shared(bytes, kind, &address);
  return give(error, address, pointer);
}

}  // namespace

extern "C" {

int cudaMalloc(void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return finish(stc::remote::kInvalidValue);
  if (const int error = forbid_in_captures(); error != 0) return finish(error);
  return give_device(pointer, bytes);
}
/// In a capture too: what a graph allocates is there from then on.
int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, MemoryPool* pool, void* stream) {
  if (pointer == nullptr || !is_pool(pool)) return finish(stc::remote::kInvalidValue);
  if (const int error = submit(stream, NodeKind::kAllocate, [] { return 0; }); error != 0) return finish(error);
  const int error = give_device(pointer, bytes);
  if (error == 0) take_from(pool, number_of(*pointer), bytes);
  return error;
}
int cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, current_pool(), stream);
}
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  if (flags != kAttachGlobal && flags != kAttachHost) return finish(stc::remote::kInvalidValue);
  return give_shared(pointer, bytes, SharedKind::kManaged);
}
int cudaMallocHost(void** pointer, std::size_t bytes) { return give_shared(pointer, bytes, SharedKind::kPinned); }
int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  if ((flags & ~kHostFlags) != 0) return finish(stc::remote::kInvalidValue);
  return give_shared(pointer, bytes, SharedKind::kPinned);
}
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  const std::size_t row = (width + kPitch - 1) / kPitch * kPitch;
  const int error = cudaMalloc(pointer, row * height);
  if (error == 0) *pitch = row;
  return error;
}
int cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
  const int error = cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.width, extent.height * extent.depth);
  pitched->width = extent.width;
  pitched->height = extent.height;
  return error;
}
int cudaFree(void* pointer) {
  if (const int error = forbid_in_captures(); error != 0) return finish(error);
  return finish(free_pooled(pointer));
}
/// A graph that is launched again uses the memory again: what its capture frees stays.
int cudaFreeAsync(void* pointer, void* stream) {
  if (captured_graph(stream) != nullptr) return finish(submit(stream, NodeKind::kFree, [] { return 0; }));
  return finish(submit(stream, NodeKind::kFree, [=] { return free_pooled(pointer); }));
}
int cudaFreeHost(void* pointer) { return cudaFree(pointer); }

int cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  if (pointer == nullptr || bytes == 0) return finish(stc::remote::kInvalidValue);
  return finish(register_host(pointer, bytes) ? 0 : kAlreadyRegistered);
}
int cudaHostUnregister(void* pointer) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  return finish(unregister_host(pointer) ? 0 : kNotRegistered);
}
int cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  if (is_registered(host)) return not_supported("cudaHostGetDevicePointer (of memory that the host registered)");
  if (place_of(host) != Place::kPinned) return finish(stc::remote::kInvalidValue);
  return *device = host, 0;
}
int cudaHostGetFlags(unsigned* flags, void* host) {
  if (place_of(host) != Place::kPinned) return finish(stc::remote::kInvalidValue);
  return *flags = kMappedHostMemory, 0;
}

int cudaMemGetInfo(std::size_t* left, std::size_t* all) {
  stc::remote::Packet answer;
  const int error = Connection::get().ask(stc::remote::Request::kMemoryLeft, {}, answer);
  if (error != 0) return finish(error);
  *left = answer.get<std::uint64_t>();
  *all = answer.get<std::uint64_t>();
  return 0;
}

int cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  if (const int error = Connection::get().reached(); error != 0) return finish(error);
  if (attributes == nullptr) return finish(stc::remote::kInvalidValue);
  constexpr int kUnregistered = 0, kHost = 1, kDevice = 2, kManaged = 3;
  *attributes = {};
  auto* const address = const_cast<void*>(pointer);
  const Place place = place_of(pointer);
  attributes->type = is_registered(pointer)     ? kHost
                     : place == Place::kHost    ? kUnregistered
                     : place == Place::kPinned  ? kHost
                     : place == Place::kManaged ? kManaged
                                                : kDevice;
  attributes->device = place == Place::kHost ? -2 : 0;  // cudaInvalidDeviceId
  if (place != Place::kHost) attributes->device_pointer = address;
  if (place != Place::kDevice) attributes->host_pointer = address;
  return 0;
}

// Hints: there is one copy of managed memory.
int cudaMemPrefetchAsync() { return finish(Connection::get().ready()); }
int cudaMemAdvise() { return finish(Connection::get().ready()); }
#if STC_CUDART_MAJOR == 12
int cudaMemPrefetchAsync_v2() { return finish(Connection::get().ready()); }
int cudaMemAdvise_v2() { return finish(Connection::get().ready()); }
#endif
}
