// SPDX-License-Identifier: Apache-2.0
// Geometry of the GEMMs of a training step: the tiles of gemm_tile.h with operands in the storage that a step has.
//
// An operand's *rows* are the slow index of its storage. Forward, Y = X W^T, every operand has k contiguous, so rows
// run along m or n. Backward some have k as the slow index (W in dX = dY W, both in dW = dY^T X): a row then is one k,
// and ldmatrix.trans turns 8x8 blocks on their way to registers.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// How one operand's tile lies in shared memory: rows of 16-byte chunks, swizzled as in gemm_tile.h.
struct OperandTile {
  int rows, row_bytes;
  STC_INDEX int chunks() const { return row_bytes / kChunk; }
};

/// Base: a GemmTile of 16-bit elements. Transposed: k is the slow index of the operand's storage.
template <class Base, bool kTransposedAT, bool kTransposedBT>
struct TrainingTile : Base {
  static constexpr bool kTransposedA = kTransposedAT, kTransposedB = kTransposedBT;
  static constexpr OperandTile kA =
      kTransposedA ? OperandTile{Base::kTileK, Base::kTileM * 2} : OperandTile{Base::kTileM, Base::kRowBytesA};
  static constexpr OperandTile kB =
      kTransposedB ? OperandTile{Base::kTileK, Base::kTileN * 2} : OperandTile{Base::kTileN, Base::kRowBytesB};
  static constexpr int kStepK = Base::kStepBytesB / 2;  ///< k of one MMA

  static_assert(element_bytes(Base::kType) == 2, "ldmatrix.trans turns 16-bit elements");
  static_assert(!(kTransposedA && Base::kSparse), "compressed rows run along k");
  static_assert(Base::kThreads / kA.chunks() % 8 == 0 && Base::kThreads / kB.chunks() % 8 == 0, "swizzle periods");
  static_assert(Base::kWarpM % 64 == 0 && Base::kWarpN % 32 == 0, "a fragment's chunk is an XOR on the address");

  /// Matrices of a transposed A load, in the register order of the MMA: (m 0-7, k 0-7), (m 8-15, k 0-7), then k 8-15.
  static STC_INDEX std::uint32_t load_a(std::uint32_t lane, std::uint32_t warp_m) {
    if (!kTransposedA) return Base::load_a(lane, warp_m);
    const std::uint32_t row = lane / 16 * 8 + lane % 8, chunk = warp_m * Base::kWarpM / 8 + lane / 8 % 2;
    return swizzled(row, chunk, kA.chunks()) * kChunk;
  }
  static STC_INDEX std::uint32_t address_a(std::uint32_t start, int step, int i) {
    if (!kTransposedA) return Base::address_a(start, step, i);
    return (start ^ (i * 2 * kChunk)) + step * kStepK * kA.row_bytes;
  }
  /// Dense: two 8-column fragments of two 8-deep blocks of k; sparse: one fragment of four.
  static STC_INDEX std::uint32_t load_b(std::uint32_t lane, std::uint32_t warp_n) {
    if (!kTransposedB) return Base::load_b(lane, warp_n);
    const std::uint32_t row = Base::kSparse ? lane : lane % 16;
    const std::uint32_t chunk = warp_n * Base::kWarpN / 8 + (Base::kSparse ? 0 : lane / 16);
    return Base::kBytesA + swizzled(row, chunk, kB.chunks()) * kChunk;
  }
  static STC_INDEX std::uint32_t address_b(std::uint32_t start, int step, int j) {
    if (!kTransposedB) return Base::address_b(start, step, j);
    return (start ^ (j * kChunk)) + step * kStepK * kB.row_bytes;
  }
};

/// What becomes of the f32 accumulators on their way to D (f16). The activation is the squared ReLU, act(h) = max(h,
/// 0)^2.
enum class Epilogue {
  none,            ///< D = accumulator
  relu2,           ///< D = accumulator, P = act(D)
  relu2_gradient,  ///< D = accumulator * act'(P), P being what the forward pass gave to act
  parts            ///< D = accumulator, for the last tiles added up from parts of k (training_parts.h)
};

constexpr int kPruneThreads = 128, kPruneRows = 64, kPruneColumns = 128;  ///< of a CTA of the pruning kernels

}  // namespace stc::kernels
