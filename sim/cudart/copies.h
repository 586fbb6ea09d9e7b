// SPDX-License-Identifier: Apache-2.0
// Copies and fills of rows and planes.
#pragma once

#include "sim/cudart/abi.h"
#include "sim/cudart/device_memory.h"

namespace stc::cuda {

struct Rows {
  const void* pointer;
  std::size_t pitch;
};

std::uint8_t* bytes_at(const void* pointer, std::size_t offset);

// Each returns an error of the runtime.
int copy_rows(const Rows& to, const Rows& from, std::size_t width, std::size_t height, int kind);
int copy_3d(const Copy3d& of);
int fill_rows(const FillNode& of);
/// `of` is the first plane; bytes, not elements.
int fill_planes(const PitchedPointer& of, int value, const Extent& extent);

}  // namespace stc::cuda
