// SPDX-License-Identifier: Apache-2.0
// Operands and reference of the GEMM check: small integers made by a hash, an exact product of their 8-bit images, and
// the same integers as the operands of a kernel of any element type, compressed where it is sparse.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "validation/kernels/gemm_operands.h"

namespace stc::kernels {

__device__ inline std::uint32_t hashed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// One of -3 ... 3 without 0, so that what is stored can be told from what is pruned.
__device__ inline std::int8_t small_integer(std::uint32_t h) {
  const int v = static_cast<int>(h % 6) - 3;
  return static_cast<std::int8_t>(v < 0 ? v : v + 1);
}

/// Fills `out` ([rows][k], count elements). Of each `group` consecutive elements (0: dense) half, at random places,
/// stay.
__global__ void make_image(std::int8_t* out, std::int64_t count, int group, std::uint32_t seed) {
  const int step = group == 0 ? 1 : group;
  const std::int64_t i = (blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x) * step;
  if (i >= count) return;
  const std::uint32_t h = hashed(static_cast<std::uint32_t>(i) ^ seed);
  std::uint32_t kept = 1;
  if (group == 2) kept = 1u << (h >> 8) % 2;
  if (group == 4) kept = (0xc6a953u >> (h >> 8) % 6 * 4) & 15u;  // the six ways to keep two of four
  for (int j = 0; j < step; ++j) {
    out[i + j] = (kept >> j & 1) ? small_integer(hashed(h + static_cast<std::uint32_t>(j) * 977u)) : std::int8_t{0};
  }
}

/// The value as `type`, at element `i` of `out`. Small integers are exact in each.
__device__ inline void put(Element type, void* out, std::int64_t i, int value) {
  const auto f = static_cast<float>(value);
  switch (type) {
    case Element::f16: static_cast<__half*>(out)[i] = __float2half(f); break;
    case Element::bf16: static_cast<__nv_bfloat16*>(out)[i] = __float2bfloat16(f); break;
    case Element::tf32: static_cast<float*>(out)[i] = f; break;
    case Element::e4m3: static_cast<__nv_fp8_e4m3*>(out)[i] = __nv_fp8_e4m3(f); break;
    case Element::s8: static_cast<std::int8_t*>(out)[i] = static_cast<std::int8_t>(value); break;
  }
}

__global__ void convert(Element type, const std::int8_t* image, void* out, std::int64_t count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < count) put(type, out, i, image[i]);
}

/// Position in its group of the `nth` element of `group` that is not zero.
__device__ inline std::uint32_t kept_position(const std::int8_t* group, int elements, int nth) {
  for (int i = 0; i < elements; ++i) {
    if (group[i] != 0 && nth-- == 0) return static_cast<std::uint32_t>(i);
  }
  __trap();
}

/// Stored half of each group, in order: out is [rows][k / 2].
__global__ void compress(Element type, const std::int8_t* image, void* out, std::int64_t groups) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= groups) return;
  const int elements = group_elements(type);
  const std::int8_t* group = image + i * elements;
  for (int n = 0; n < elements / 2; ++n) put(type, out, i * elements / 2 + n, group[kept_position(group, elements, n)]);
}

/// Metadata operand: one thread per word, [k / metadata_k][m / 16][lane].
__global__ void pack_metadata(Element type, const std::int8_t* image, std::uint32_t* out, int m, int k) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= std::int64_t{k} / metadata_k(type) * (m / kMmaM) * kWarp) return;
  const auto lane = static_cast<std::uint32_t>(i % kWarp);
  const std::int64_t fragment = i / kWarp % (m / kMmaM), block = i / kWarp / (m / kMmaM);
  const int elements = group_elements(type);
  std::uint32_t word = 0;
  for (std::uint32_t half = 0; half < 2; ++half) {
    const MetadataField field = metadata_field(type, lane, half);
    const std::int8_t* row = image + (fragment * kMmaM + field.row) * k + block * metadata_k(type) + field.k;
    for (std::uint32_t g = 0; g < field.groups; ++g) {
      const std::int8_t* group = row + g * elements;
      const std::uint32_t first = kept_position(group, elements, 0);
      const std::uint32_t second = elements == 4 ? kept_position(group, elements, 1) : 0;
      word |= metadata_nibble(type, first, second) << (half * 16 + g * 4);
    }
  }
  out[i] = word;
}

/// Exact product of the images: rows row0 ... of D, 64x64 of them per CTA of 256 threads. k a multiple of 64.
__global__ void __launch_bounds__(256) reference(const int* a, const int* b, int* d, int row0, int n, int k) {
  __shared__ int a_tile[16][65], b_tile[16][65];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, words = k / 4;
  int sum[4][4] = {};
  for (int word = 0; word < words; word += 16) {
    for (int i = 0; i < 4; ++i) {
      a_tile[tx][ty + 16 * i] = a[(std::int64_t{row0} + blockIdx.y * 64 + ty + 16 * i) * words + word + tx];
      b_tile[tx][ty + 16 * i] = b[(std::int64_t{blockIdx.x} * 64 + ty + 16 * i) * words + word + tx];
    }
    __syncthreads();
    for (int w = 0; w < 16; ++w) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sum[i][j] = __dp4a(a_tile[w][ty + 16 * i], b_tile[w][tx + 16 * j], sum[i][j]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      d[(std::int64_t{blockIdx.y} * 64 + ty + 16 * i) * n + blockIdx.x * 64 + tx + 16 * j] = sum[i][j];
    }
  }
}

/// Largest |got - want| into *bits (as the bits of a non-negative float, which compare like integers); NaN counts as
/// infinite.
__global__ void largest_error(Element type, const void* got, const int* want, std::int64_t count, unsigned* bits) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  float error = 0;
  if (type == Element::s8) {
    error = fabsf(static_cast<float>(std::int64_t{static_cast<const int*>(got)[i]} - want[i]));
  } else {
    error = fabsf(static_cast<const float*>(got)[i] - static_cast<float>(want[i]));
  }
  if (!(error <= 3e38f)) error = INFINITY;
  if (error > 0) atomicMax(bits, __float_as_uint(error));
}

}  // namespace stc::kernels
