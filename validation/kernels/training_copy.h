// SPDX-License-Identifier: Apache-2.0
// Copies the k-tiles of a training GEMM to shared memory. Rows of an operand that lie beyond its end (tokens that fill
// no whole tile) arrive as zeros.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_ptx.h"
#include "validation/kernels/training_tile.h"

namespace stc::kernels {

/// The copies of one operand by one thread: passes of kThreads / chunks rows each.
template <class T, bool kIsA>
class OperandCopier {
  static constexpr OperandTile kTile = kIsA ? T::kA : T::kB;
  static constexpr bool kTransposed = kIsA ? T::kTransposedA : T::kTransposedB;
  static constexpr int kRowsPerPass = T::kThreads / kTile.chunks();
  static constexpr std::uint32_t kStart = kIsA ? 0 : T::kBytesA;  ///< in a stage

 public:
  static constexpr int kPasses = kTile.rows / kRowsPerPass;

  /// `rows` and `row_bytes` of the whole matrix; `tile` counts tiles along m or n.
  __device__ OperandCopier(const void* matrix, std::uint32_t tile, int rows, std::int64_t row_bytes) {
    const std::uint32_t row = T::copy_row(threadIdx.x, kTile.chunks()), tile_row = kTransposed ? 0 : tile * kTile.rows;
    const std::int64_t tile_bytes = kTransposed ? std::int64_t{tile} * kTile.row_bytes : 0;
    source_ = static_cast<const char*>(matrix) + (tile_row + row) * row_bytes + tile_bytes +
              T::copy_chunk(threadIdx.x, kTile.chunks()) * kChunk;
    rows_left_ = rows - static_cast<int>(tile_row + row);
    pass_bytes_ = row_bytes * kRowsPerPass;
    target_ = kStart + T::copy_target(threadIdx.x, kTile.chunks());
  }
  __device__ void pass(std::uint32_t stage, int i, bool enabled) {
    copy_async_or_zero(stage + target_ + i * T::kThreads * kChunk, source_, i * kRowsPerPass < rows_left_, enabled);
    source_ += pass_bytes_;
  }
  /// After the last pass of a k-tile.
  __device__ void next_tile() {
    if constexpr (kTransposed) {
      rows_left_ -= kTile.rows;
    } else {
      source_ += kTile.row_bytes - kPasses * pass_bytes_;
    }
  }

 private:
  const char* source_;
  std::int64_t pass_bytes_;
  std::uint32_t target_;
  int rows_left_;  ///< from this thread's first row of the tile to the end of the matrix
};

/// A, B and metadata, as TileCopier of gemm_kernel.h does it for whole tiles.
template <class T>
class TrainingCopier {
 public:
  __device__ TrainingCopier(const void* a, const void* e, const void* b, TileIndex tile, int m, int n, int k)
      : a_(a, tile.m, T::kTransposedA ? k : m, T::kTransposedA ? m * std::int64_t{2} : k * std::int64_t{2} / kShare),
        b_(b, tile.n, T::kTransposedB ? k : n, (T::kTransposedB ? n : k) * std::int64_t{2}) {
    if constexpr (T::kSparse) {
      constexpr int kBlockChunks = T::kMetadataBlockBytes / kChunk;
      block_e_ = std::int64_t{m} / kMmaM * kWarp * 4;
      e_ = static_cast<const char*>(e) + threadIdx.x / kBlockChunks * block_e_ +
           std::int64_t{tile.m} * T::kMetadataBlockBytes + threadIdx.x % kBlockChunks * kChunk;
      copies_e_ = threadIdx.x < T::kBytesE / kChunk;
    }
  }

  /// Issues share kPart of kPartsOfTile of the copies of the current k-tile; the last share moves on to the next tile.
  template <int kPart, int kPartsOfTile>
  __device__ void copy(std::uint32_t stage, bool enabled) {
    constexpr int kPassesA = decltype(a_)::kPasses, kPasses = kPassesA + decltype(b_)::kPasses;
#pragma unroll
    for (int i = kPasses * kPart / kPartsOfTile; i < kPasses * (kPart + 1) / kPartsOfTile; ++i) {
      i < kPassesA ? a_.pass(stage, i, enabled) : b_.pass(stage, i - kPassesA, enabled);
    }
    if constexpr (kPart == kPartsOfTile - 1) {
      if constexpr (T::kSparse) {
        copy_async(stage + T::kBytesA + T::kBytesB + threadIdx.x * kChunk, e_, enabled && copies_e_);
        e_ += T::kMetadataBlocks * block_e_;
      }
      a_.next_tile();
      b_.next_tile();
      commit_group();
    }
  }

 private:
  static constexpr int kShare = T::kSparse ? 2 : 1;  ///< k per stored element
  OperandCopier<T, true> a_;
  OperandCopier<T, false> b_;
  const char* e_ = nullptr;
  std::int64_t block_e_ = 0;  ///< bytes from one metadata block to the next
  bool copies_e_ = false;
};

}  // namespace stc::kernels
