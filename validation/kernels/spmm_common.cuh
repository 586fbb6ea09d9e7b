// SPDX-License-Identifier: Apache-2.0
// What the kernels of the family spmm share: vectors of 16 bytes, their elements as f32, D in f32.
//
// D[m,n] = A[m,k] x B[k,n]; dense matrices are row-major; sums and D are f32, operands f32 or f16.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace stc::kernels {

using f32 = float;
using f16 = __half;

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

/// 16 bytes of consecutive elements.
template <class T>
struct alignas(16) Vector {
  static constexpr int kSize = 16 / sizeof(T);
  std::uint32_t word[4];

  __device__ float operator[](int i) const {
    if constexpr (sizeof(T) == 4) {
      return __uint_as_float(word[i]);
    } else {
      const __half2 pair = *reinterpret_cast<const __half2*>(&word[i / 2]);
      return i % 2 == 0 ? __low2float(pair) : __high2float(pair);
    }
  }
};

/// Through the read-only path, which L1 keeps.
template <class T>
__device__ inline Vector<T> load_vector(const void* address) {
  const uint4 bits = __ldg(static_cast<const uint4*>(address));
  return {{bits.x, bits.y, bits.z, bits.w}};
}

template <class T>
__device__ inline float as_float(T value) {
  if constexpr (sizeof(T) == 4) {
    return value;
  } else {
    return __half2float(value);
  }
}

/// Column indices: 32 bits beside f32, 16 beside f16, so that an entry is 8 or 4 bytes.
template <class T>
struct IndexOf;
template <>
struct IndexOf<f32> {
  using Type = std::uint32_t;
};
template <>
struct IndexOf<f16> {
  using Type = std::uint16_t;
};
template <class T>
using Index = typename IndexOf<T>::Type;

/// Four entries by one load. `from` is a multiple of four.
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T item[4];
};
template <class T>
__device__ inline Four<T> load_four(const T* from) {
  Four<T> four;
  if constexpr (sizeof(T) == 4) {
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    *reinterpret_cast<uint4*>(&four) = bits;
  } else {
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(from));
    *reinterpret_cast<uint2*>(&four) = bits;
  }
  return four;
}

/// First column of a tile of `columns`. The last tile of a matrix whose width is no multiple begins earlier: its CTA
/// computes some columns that its neighbour computes too, and both store the same.
__device__ inline int first_column(int tile, int columns, int n) { return min(tile * columns, n - columns); }

}  // namespace stc::kernels
