// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/copies.h"

#include "sim/cudart/not_supported.h"
#include "sim/remote/requests.h"

namespace stc::cuda {
namespace {

constexpr int kInvalidPitch = STC_CUDART_MAJOR >= 13 ? remote::kInvalidValue : 12;  // cudaErrorInvalidPitchValue

}  // namespace

std::uint8_t* bytes_at(const void* pointer, std::size_t offset) {
  return static_cast<std::uint8_t*>(const_cast<void*>(pointer)) + offset;
}

int copy_rows(const Rows& to, const Rows& from, std::size_t width, std::size_t height, int kind) {
  if (height == 0) return 0;
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

int fill_rows(const FillNode& of) {
  const std::size_t bytes = of.width * of.element_bytes;
  if (of.height > 1 && bytes > of.pitch) return remote::kInvalidValue;
  for (std::size_t row = 0; row < of.height; ++row) {
    const std::uint64_t place = number_of(bytes_at(of.pointer, row * of.pitch));
    if (const int error = fill(place, of.value, of.element_bytes, bytes); error != 0) return error;
  }
  return 0;
}

int fill_planes(const PitchedPointer& of, int value, const Extent& extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const FillNode plane{bytes_at(of.pointer, z * of.height * of.pitch),
                         of.pitch,
                         static_cast<unsigned>(value) & 0xff,
                         1,
                         extent.width,
                         extent.height};
    if (const int error = fill_rows(plane); error != 0) return error;
  }
  return 0;
}

}  // namespace stc::cuda
