// SPDX-License-Identifier: Apache-2.0
// Reference of the convolution check: an exact direct convolution of 8-bit images, one thread an output.
#pragma once

#include "validation/kernels/convolution_shape.h"
#include "validation/kernels/gemm_reference.cuh"

namespace stc::kernels {

/// sums[pixel][k] of x[n][h][w][c] and weights[k][(r, s, c) of a row of `pitch`].
__global__ void convolution_reference(const std::int8_t* weights, int pitch, const std::int8_t* x,
                                      ConvolutionShape shape, int* sums) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= std::int64_t{shape.pixels} * shape.k) return;
  const int channel = static_cast<int>(i % shape.k), pixel = static_cast<int>(i / shape.k);
  const int image = static_cast<int>(shape.image.divisor), width = static_cast<int>(shape.row.divisor);
  const int n = pixel / image, p = pixel % image / width, q = pixel % width;
  int sum = 0;
  for (int r = 0; r < shape.r; ++r) {
    for (int s = 0; s < shape.s; ++s) {
      const int row = p * shape.stride - shape.pad + r, column = q * shape.stride - shape.pad + s;
      if (row < 0 || row >= shape.h || column < 0 || column >= shape.w) continue;
      const auto* from =
          reinterpret_cast<const int*>(x + ((std::int64_t{n} * shape.h + row) * shape.w + column) * shape.c);
      const auto* by =
          reinterpret_cast<const int*>(weights + std::int64_t{channel} * pitch + (r * shape.s + s) * shape.c);
      for (int c = 0; c < shape.c / 4; ++c) sum = __dp4a(from[c], by[c], sum);
    }
  }
  sums[i] = sum;
}

/// Stored rows of `length` elements from channels of `pitch`, in the order of channel_of_row.
__global__ void order_rows(const std::int8_t* channels, int pitch, int length, int warp_m, std::int8_t* rows,
                           std::int64_t count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  const int row = static_cast<int>(i / length);
  const int channel = row / warp_m * warp_m + channel_of_row(row % warp_m, warp_m);
  rows[i] = channels[std::int64_t{channel} * pitch + i % length];
}

__device__ inline bool is_right(Element type, const void* d, std::int64_t i, int sum, float scale) {
  const float scaled = static_cast<float>(sum) * scale;
  if (type == Element::f16) {
    return __half_as_ushort(static_cast<const __half*>(d)[i]) == __half_as_ushort(__float2half_rn(scaled));
  }
  const float rounded = fminf(fmaxf(rintf(scaled), -128.0f), 127.0f);
  return static_cast<float>(static_cast<const std::int8_t*>(d)[i]) == rounded;
}

/// Counts outputs that are not the rounded sum, and bytes behind the last output that are no longer 0x7f.
__global__ void count_wrong(Element type, const void* d, const int* sums, std::int64_t outputs, std::int64_t all,
                            float scale, unsigned* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= all) return;
  bool right;
  if (i < outputs) {
    right = is_right(type, d, i, sums[i], scale);
  } else {
    right = type == Element::f16 ? static_cast<const std::uint16_t*>(d)[i] == 0x7f7f
                                 : static_cast<const std::uint8_t*>(d)[i] == 0x7f;
  }
  if (!right) atomicAdd(count, 1u);
}

}  // namespace stc::kernels
