// SPDX-License-Identifier: Apache-2.0
// Copies and fills, also of variables.
#include <algorithm>

#include "sim/cudart/abi.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/program.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

std::uint8_t* bytes_at(const void* pointer, std::size_t offset) {
  return static_cast<std::uint8_t*>(const_cast<void*>(pointer)) + offset;
}

constexpr int kInvalidPitch = 12;

struct Rows {
  const void* pointer;
  std::size_t pitch;
};

int copy_rows(const Rows& to, const Rows& from, std::size_t width, std::size_t height, int kind) {
  if (width > to.pitch || width > from.pitch) return kInvalidPitch;
  if (width == to.pitch && width == from.pitch) {
    return copy(bytes_at(to.pointer, 0), from.pointer, width * height, static_cast<CopyKind>(kind));
  }
  for (std::size_t row = 0; row < height; ++row) {
    const int error = copy(bytes_at(to.pointer, row * to.pitch), bytes_at(from.pointer, row * from.pitch), width,
                           static_cast<CopyKind>(kind));
    if (error != 0) return error;
  }
  return 0;
}

/// Address of a variable's bytes [offset, offset + bytes).
int find_bytes(const void* symbol, std::size_t bytes, std::size_t offset, void** place) {
  Variable* variable = nullptr;
  if (const int error = Program::get().variable(symbol, &variable); error != 0) return error;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return stc::remote::kInvalidValue;
  *place = reinterpret_cast<void*>(variable->address + offset);
  return 0;
}

int copy_3d(const Copy3d& c) {
  if (c.from_array != nullptr || c.to_array != nullptr) return not_supported("cudaMemcpy3D (of an array)");
  for (std::size_t z = 0; z < c.extent.depth; ++z) {
    const auto plane = [z](const PitchedPointer& of, const Extent& position) {
      const std::size_t rows = (position.depth + z) * of.height + position.height;
      return Rows{bytes_at(of.pointer, rows * of.pitch + position.width), of.pitch};
    };
    const int error =
        copy_rows(plane(c.to, c.to_position), plane(c.from, c.from_position), c.extent.width, c.extent.height, c.kind);
    if (error != 0) return error;
  }
  return 0;
}

int after(const void* stream, int error_of_stream) { return stream == nullptr ? 0 : error_of_stream; }

}  // namespace

extern "C" {

int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return finish(copy(to, from, bytes, static_cast<CopyKind>(kind)));
}
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  if (const int error = after(stream, check_stream(stream)); error != 0) return finish(error);
  return cudaMemcpy(to, from, bytes, kind);
}
int cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, kByAddress);
}
int cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, void*) {
  return cudaMemcpy(to, from, bytes, kByAddress);
}
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) {
  return finish(copy_rows({to, to_pitch}, {from, from_pitch}, width, height, kind));
}
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, int kind, void*) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
int cudaMemcpy3D(const Copy3d* parameters) { return finish(copy_3d(*parameters)); }
int cudaMemcpy3DAsync(const Copy3d* parameters, void*) { return finish(copy_3d(*parameters)); }

int cudaMemset(void* pointer, int value, std::size_t bytes) {
  return finish(fill(number_of(pointer), static_cast<std::uint32_t>(value) & 0xff, 1, bytes));
}
int cudaMemsetAsync(void* pointer, int value, std::size_t bytes, void* stream) {
  if (const int error = after(stream, check_stream(stream)); error != 0) return finish(error);
  return cudaMemset(pointer, value, bytes);
}
int cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width > pitch) return finish(stc::remote::kInvalidValue);
  for (std::size_t row = 0; row < height; ++row) {
    if (const int error = cudaMemset(bytes_at(pointer, row * pitch), value, width); error != 0) return error;
  }
  return 0;
}
int cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height, void*) {
  return cudaMemset2D(pointer, pitch, value, width, height);
}
int cudaMemset3D(PitchedPointer of, int value, Extent extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const int error =
        cudaMemset2D(bytes_at(of.pointer, z * of.height * of.pitch), of.pitch, value, extent.width, extent.height);
    if (error != 0) return error;
  }
  return 0;
}
int cudaMemset3DAsync(PitchedPointer of, int value, Extent extent, void*) { return cudaMemset3D(of, value, extent); }

int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
  void* place = nullptr;
  if (const int error = find_bytes(symbol, bytes, offset, &place); error != 0) return finish(error);
  return cudaMemcpy(place, from, bytes, kind);
}
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  void* place = nullptr;
  if (const int error = find_bytes(symbol, bytes, offset, &place); error != 0) return finish(error);
  return cudaMemcpy(to, place, bytes, kind);
}
int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                            void*) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind, void*) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
int cudaGetSymbolAddress(void** pointer, const void* symbol) { return finish(find_bytes(symbol, 0, 0, pointer)); }
int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  Variable* variable = nullptr;
  if (const int error = Program::get().variable(symbol, &variable); error != 0) return finish(error);
  return *bytes = variable->bytes, 0;
}
}
