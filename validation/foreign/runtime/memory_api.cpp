// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's runtime that move bytes between host and device.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

#include "validation/foreign/runtime/last_error.h"
#include "validation/foreign/runtime/program.h"

using namespace stc::foreign;  // the names below are the ABI's

namespace {

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Host pointer to the bytes of either side: of the device if the address lies in one of its allocations.
std::uint8_t* bytes_at(const void* pointer, std::size_t bytes, bool may_be_host) {
  if (std::uint8_t* device = Program::get().memory.translate(number_of(pointer), bytes)) return device;
  return may_be_host ? static_cast<std::uint8_t*>(const_cast<void*>(pointer)) : nullptr;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  std::uint8_t* target = kind == cudaMemcpyDeviceToHost
                             ? static_cast<std::uint8_t*>(to)
                             : bytes_at(to, bytes, kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost);
  const std::uint8_t* source = kind == cudaMemcpyHostToDevice
                                   ? static_cast<const std::uint8_t*>(from)
                                   : bytes_at(from, bytes, kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost);
  if (target == nullptr || source == nullptr) return remember(cudaErrorInvalidValue);
  std::memmove(target, source, bytes);
  return cudaSuccess;
}

/// Host bytes of a variable from `offset` on; nullptr when it is none or too small.
std::uint8_t* variable_bytes(const void* symbol, std::size_t bytes, std::size_t offset) {
  Variable* variable = Program::get().variable(symbol);
  if (variable == nullptr || offset > variable->bytes || bytes > variable->bytes - offset) return nullptr;
  if (variable->constant) return Program::get().constant_data(*variable).data() + offset;
  return Program::get().memory.translate(Program::get().address_of(*variable) + offset, bytes);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  *pointer = reinterpret_cast<void*>(Program::get().memory.allocate(bytes));
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) { return cudaMalloc(pointer, bytes); }
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  *pointer = reinterpret_cast<void*>(Program::get().memory.allocate_managed(bytes));
  return cudaSuccess;
}
cudaError_t cudaFree(void* pointer) { return Program::get().memory.free(number_of(pointer)), cudaSuccess; }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) { return *pointer = std::malloc(bytes), cudaSuccess; }
cudaError_t cudaFreeHost(void* pointer) { return std::free(pointer), cudaSuccess; }

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return copy(to, from, bytes, kind);
}
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  std::uint8_t* target = Program::get().memory.translate(number_of(pointer), bytes);
  if (target == nullptr && bytes != 0) return remember(cudaErrorInvalidValue);
  if (bytes != 0) std::memset(target, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind) {
  std::uint8_t* target = variable_bytes(symbol, bytes, offset);
  if (target == nullptr) return remember(cudaErrorInvalidSymbol);
  std::memcpy(target, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
  const std::uint8_t* source = variable_bytes(symbol, bytes, offset);
  if (source == nullptr) return remember(cudaErrorInvalidSymbol);
  std::memcpy(to, source, bytes);
  return cudaSuccess;
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  Variable* variable = Program::get().variable(symbol);
  if (variable == nullptr || variable->constant) return remember(cudaErrorInvalidSymbol);
  *pointer = reinterpret_cast<void*>(Program::get().address_of(*variable));
  return cudaSuccess;
}

}  // extern "C"
