// SPDX-License-Identifier: Apache-2.0
// Copies and fills, also of variables.
#include <functional>

#include "sim/cudart/copies.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/program.h"
#include "sim/cudart/stream_capture.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

/// Address of a variable's bytes [offset, offset + bytes).
int find_bytes(const void* symbol, std::size_t bytes, std::size_t offset, void** place) {
  Variable* variable = nullptr;
  if (const int error = Program::get().variable(symbol, &variable); error != 0) return error;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return stc::remote::kInvalidValue;
  *place = reinterpret_cast<void*>(variable->address + offset);
  return 0;
}

int run_copy(void* stream, const Work& work) { return finish(submit(stream, NodeKind::kCopy, work)); }
int run_fill(void* stream, const Work& work) { return finish(submit(stream, NodeKind::kFill, work)); }

int copy_symbol(const void* symbol, std::size_t bytes, std::size_t offset, void* stream,
                const std::function<int(void*)>& transfer) {
  void* place = nullptr;
  if (const int error = find_bytes(symbol, bytes, offset, &place); error != 0) return finish(error);
  return run_copy(stream, [=] { return transfer(place); });
}

}  // namespace

extern "C" {

int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return run_copy(stream, [=] { return copy(to, from, bytes, static_cast<CopyKind>(kind)); });
}
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return finish_wait(cudaMemcpyAsync(to, from, bytes, kind, nullptr));
}
int cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, kByAddress);
}
int cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, void* stream) {
  return cudaMemcpyAsync(to, from, bytes, kByAddress, stream);
}
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, int kind, void* stream) {
  return run_copy(stream, [=] { return copy_rows({to, to_pitch}, {from, from_pitch}, width, height, kind); });
}
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
int cudaMemcpy3DAsync(const Copy3d* parameters, void* stream) {
  return run_copy(stream, [of = *parameters] { return copy_3d(of); });
}
int cudaMemcpy3D(const Copy3d* parameters) { return cudaMemcpy3DAsync(parameters, nullptr); }

int cudaMemsetAsync(void* pointer, int value, std::size_t bytes, void* stream) {
  return run_fill(stream, [=] { return fill(number_of(pointer), static_cast<std::uint32_t>(value) & 0xff, 1, bytes); });
}
int cudaMemset(void* pointer, int value, std::size_t bytes) { return cudaMemsetAsync(pointer, value, bytes, nullptr); }
int cudaMemset3DAsync(PitchedPointer of, int value, Extent extent, void* stream) {
  return run_fill(stream, [=] { return fill_planes(of, value, extent); });
}
int cudaMemset3D(PitchedPointer of, int value, Extent extent) { return cudaMemset3DAsync(of, value, extent, nullptr); }
int cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      void* stream) {
  return cudaMemset3DAsync({pointer, pitch, width, height}, value, {width, height, 1}, stream);
}
int cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}

int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                            void* stream) {
  return copy_symbol(symbol, bytes, offset, stream,
                     [=](void* place) { return copy(place, from, bytes, static_cast<CopyKind>(kind)); });
}
int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                              void* stream) {
  return copy_symbol(symbol, bytes, offset, stream,
                     [=](void* place) { return copy(to, place, bytes, static_cast<CopyKind>(kind)); });
}
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
  return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr);
}
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr);
}
int cudaGetSymbolAddress(void** pointer, const void* symbol) { return finish(find_bytes(symbol, 0, 0, pointer)); }
int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  Variable* variable = nullptr;
  if (const int error = Program::get().variable(symbol, &variable); error != 0) return finish(error);
  return *bytes = variable->bytes, 0;
}
}
