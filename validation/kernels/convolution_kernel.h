// SPDX-License-Identifier: Apache-2.0
// Forward convolution as an implicit GEMM on tensor cores: D[k, n p q] = A[k, r s c] x B[r s c, n p q], where B is
// gathered from the activations x[n][h][w][c] (NHWC) while it is copied to shared memory; it never exists in memory.
//
// A is the weights, row-major with c fastest, or their 2:4 half along c with metadata, as the GEMM kernels take it; its
// rows come in the order of channel_of_row, and its k is filled up with zeros to whole k-tiles. Copies that would read
// padding, or a pixel behind the last, write zeros. D is NHWC: f16 (round to nearest even) for f16, s8 (scaled, rounded
// to nearest even, saturated) for s8. k is a multiple of the tile, c of 16 bytes; h, w, stride and pad are free.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "validation/kernels/convolution_shape.h"
#include "validation/kernels/gemm_kernel.h"

namespace stc::kernels {

__device__ inline std::uint32_t quotient(std::uint32_t x, const Divisor& d) {
  return d.multiplier == 0 ? x : __umulhi(x, d.multiplier) >> d.shift;
}

/// Where the window of an output pixel starts in x, and which of its rows and columns lie inside the image.
struct Window {
  int offset;          ///< bytes from x; may lie before it
  std::uint32_t mask;  ///< bit r: row r is inside; bit 16 + s: column s is inside
};

/// Bit i: position `first` + i of `size` positions lies inside, for i below `count` (at most 15).
__device__ inline std::uint32_t inside_mask(int first, int count, int size) {
  const int low = max(-first, 0), high = max(min(size - first, count), 0);
  return low >= count ? 0u : ((1u << high) - 1u) & ~((1u << low) - 1u);
}

__device__ inline Window window_of(int pixel, const ConvolutionShape& shape, int element) {
  const std::uint32_t n = quotient(pixel, shape.image), within = pixel - n * shape.image.divisor;
  const std::uint32_t p = quotient(within, shape.row), q = within - p * shape.row.divisor;
  const int row = static_cast<int>(p) * shape.stride - shape.pad,
            column = static_cast<int>(q) * shape.stride - shape.pad;
  std::uint32_t mask = inside_mask(row, shape.r, shape.h) | inside_mask(column, shape.s, shape.w) << 16;
  if (pixel >= shape.pixels) mask = 0;
  return {((static_cast<int>(n) * shape.h + row) * shape.w + column) * shape.c * element, mask};
}

/// Copies the k-tiles of A, x and metadata to shared memory, one after the other, as TileCopier does for a GEMM.
template <class T>
class ConvolutionCopier {
 public:
  /// `windows` are those of the tile's pixels, in shared memory.
  __device__ ConvolutionCopier(const void* a, const void* e, const void* x, TileIndex tile,
                               const ConvolutionShape& shape, const Window* windows)
      : x_(static_cast<const char*>(x)), shape_(shape) {
    const std::uint32_t thread = threadIdx.x;
    const std::int64_t row_bytes_a = std::int64_t{shape.tiles_k} * T::kRowBytesA;
    pass_a_ = row_bytes_a * (T::kThreads / T::kChunksA);
    a_ = static_cast<const char*>(a) + (tile.m * T::kTileM + T::copy_row(thread, T::kChunksA)) * row_bytes_a +
         T::copy_chunk(thread, T::kChunksA) * kChunk;
    target_a_ = T::copy_target(thread, T::kChunksA);
    target_b_ = T::kBytesA + T::copy_target(thread, T::kChunksB);
#pragma unroll
    for (int i = 0; i < T::kCopiesB; ++i) {
      windows_[i] = windows[T::copy_row(thread, T::kChunksB) + i * (T::kThreads / T::kChunksB)];
    }
    c_ = T::copy_chunk(thread, T::kChunksB) * kChunk / kElement;
    for (; c_ >= shape.c; c_ -= shape.c) next_position();
    if constexpr (T::kSparse) {
      constexpr int kBlockChunks = T::kMetadataBlockBytes / kChunk;
      block_e_ = std::int64_t{shape.k} / kMmaM * kWarp * 4;
      e_ = static_cast<const char*>(e) + thread / kBlockChunks * block_e_ +
           std::int64_t{tile.m} * T::kMetadataBlockBytes + thread % kBlockChunks * kChunk;
      copies_e_ = thread < T::kBytesE / kChunk;
    }
  }

  /// Issues share `part` of `parts` of the copies of the current k-tile; the last share moves on to the next tile.
  template <int kPart, int kPartsOfTile>
  __device__ void copy(std::uint32_t stage, bool enabled) {
    constexpr int kCopies = T::kCopiesA + T::kCopiesB;
    const int offset = ((r_ * shape_.w + s_) * shape_.c + c_) * kElement;
#pragma unroll
    for (int i = kCopies * kPart / kPartsOfTile; i < kCopies * (kPart + 1) / kPartsOfTile; ++i) {
      if (i < T::kCopiesA) {
        copy_async(stage + target_a_ + i * T::kThreads * kChunk, a_, enabled);
        a_ += pass_a_;
      } else {
        const Window& window = windows_[i - T::kCopiesA];
        const bool inside = (window.mask >> r_) & (window.mask >> 16 >> s_) & 1u;
        copy_async_or_zero(stage + target_b_ + (i - T::kCopiesA) * T::kThreads * kChunk, x_ + (window.offset + offset),
                           inside, enabled);
      }
    }
    if constexpr (kPart == kPartsOfTile - 1) {
      if constexpr (T::kSparse) {
        const std::uint32_t target = T::kBytesA + T::kBytesB + threadIdx.x * kChunk;
        copy_async(stage + target, e_, enabled && copies_e_);
        e_ += T::kMetadataBlocks * block_e_;
      }
      a_ += T::kRowBytesA - T::kCopiesA * pass_a_;
      advance();
      commit_group();
    }
  }

 private:
  static constexpr int kElement = element_bytes(T::kType);

  __device__ void next_position() {
    const bool wraps = ++s_ == shape_.s;
    s_ = wraps ? 0 : s_;
    r_ += wraps;
  }

  /// One k-tile on in (r, s, c). Behind the last position r_ is at least r, where no mask has a bit.
  __device__ void advance() {
    c_ += shape_.step_c;
    const bool carry = c_ >= shape_.c;
    c_ -= carry ? shape_.c : 0;
    s_ += shape_.step_s + carry;
    const bool wraps = s_ >= shape_.s;
    s_ -= wraps ? shape_.s : 0;
    r_ += shape_.step_r + wraps;
  }

  const char *a_, *x_, *e_ = nullptr;
  const ConvolutionShape& shape_;
  std::int64_t pass_a_, block_e_ = 0;  ///< bytes from one pass (metadata block) to the next
  std::uint32_t target_a_, target_b_;  ///< offsets in a stage
  Window windows_[T::kCopiesB];        ///< of the pixels that this thread copies
  int r_ = 0, s_ = 0, c_;              ///< of the chunk that this thread copies next
  bool copies_e_ = false;
};

__device__ inline std::uint32_t pack_f16(std::uint32_t low, std::uint32_t high, float scale) {
  const __half2 pair = __floats2half2_rn(__uint_as_float(low) * scale, __uint_as_float(high) * scale);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

__device__ inline std::uint32_t saturated_s8(std::uint32_t sum, float scale) {
  std::uint32_t byte;
  asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(byte) : "f"(__int2float_rn(static_cast<int>(sum)) * scale));
  return byte & 0xffu;
}

/// The channels that a lane owns of one pixel, packed into words of memory.
template <class T>
__device__ void pack(const std::uint32_t (&sums)[T::kWarpM / 8], float scale,
                     std::uint32_t (&words)[T::kWarpM / 8 * element_bytes(T::kType) / 4]) {
  if constexpr (T::kType == Element::f16) {
#pragma unroll
    for (int i = 0; i < T::kWarpM / 16; ++i) words[i] = pack_f16(sums[2 * i], sums[2 * i + 1], scale);
  } else {
#pragma unroll
    for (int i = 0; i < T::kWarpM / 32; ++i) {
      words[i] = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) words[i] |= saturated_s8(sums[4 * i + j], scale) << (8 * j);
    }
  }
}

/// Writes a warp tile: each lane the consecutive channels it owns, 2 (warp_m = 32) to 8 lanes a 64- or 128-byte piece.
template <class T>
__device__ void store_nhwc(const WarpTile<T>& warp, char* d, int first_pixel, int first_channel, int pixels, int k,
                           std::uint32_t lane, float scale) {
  constexpr int kElement = element_bytes(T::kType), kWords = T::kWarpM / 8 * kElement / 4;
  const int channel = first_channel + lane / 4 * (T::kWarpM / 8);
#pragma unroll
  for (int j = 0; j < T::kMmaTilesN; ++j) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      std::uint32_t sums[T::kWarpM / 8], words[kWords];
#pragma unroll
      for (int i = 0; i < T::kWarpM / 8; ++i) sums[i] = warp.accumulator(i / 2, j, i % 2 * 2 + odd);
      pack<T>(sums, scale, words);
      const int pixel = first_pixel + j * kMmaN + lane % 4 * 2 + odd;
      char* target = d + (std::int64_t{pixel} * k + channel) * kElement;
      if (pixel >= pixels) continue;
      if constexpr (kWords == 4) *reinterpret_cast<uint4*>(target) = make_uint4(words[0], words[1], words[2], words[3]);
      if constexpr (kWords == 2) *reinterpret_cast<uint2*>(target) = make_uint2(words[0], words[1]);
      if constexpr (kWords == 1) *reinterpret_cast<std::uint32_t*>(target) = words[0];
    }
  }
}

template <class T>
__device__ void convolution(const void* a, const void* e, const void* x, void* d, const ConvolutionShape& shape,
                            float scale) {
  extern __shared__ __align__(256) unsigned char shared[];
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  // Neighbouring CTAs share the pixels, which are many, and walk through the channels, whose weights stay in L2.
  const std::uint32_t tiles_m = static_cast<std::uint32_t>(shape.k) / T::kTileM;
  const TileIndex tile{blockIdx.x % tiles_m, blockIdx.x / tiles_m};
  const std::uint32_t lane = threadIdx.x % kWarp, warp_index = threadIdx.x / kWarp;
  const std::uint32_t warp_m = warp_index % T::kWarpsM, warp_n = warp_index / T::kWarpsM;

  // The last stage is filled last: until then it holds the windows.
  Window* windows = reinterpret_cast<Window*>(shared + (T::kStages - 1) * T::kStageBytes);
  for (int i = threadIdx.x; i < T::kTileN; i += T::kThreads) {
    windows[i] = window_of(static_cast<int>(tile.n) * T::kTileN + i, shape, element_bytes(T::kType));
  }
  barrier();
  ConvolutionCopier<T> copier(a, e, x, tile, shape, windows);
  WarpTile<T> warp(lane, warp_m, warp_n);
  multiply_tiles<T>(warp, copier, first, shape.tiles_k);
  store_nhwc<T>(warp, static_cast<char*>(d), tile.n * T::kTileN + warp_n * T::kWarpN,
                tile.m * T::kTileM + warp_m * T::kWarpM, shape.pixels, shape.k, lane, scale);
}

}  // namespace stc::kernels
