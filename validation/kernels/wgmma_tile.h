// SPDX-License-Identifier: Apache-2.0
// Geometry of the warpgroup GEMM kernels (sm_90a), shared by the kernels, the list of them and host tests.
//
// A k-tile is a line of 128 bytes of each row of B, whatever the type: four dense MMA steps or two sparse ones. A
// tensor copy brings it to shared memory swizzled by 128 bytes; the stored half of a sparse A has lines of 64 bytes.
// Patterns that hardware has not (patterns.cu) keep steps of 32 stored bytes and A's lines: one that stores a quarter
// has two lines of B a k-tile, one behind the other.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

constexpr int kWarpgroup = 128;
constexpr int kWarpgroupM = 64;  ///< rows of one warpgroup instruction

/// Of metadata, of an element that is stored of a group of `group`.
constexpr int index_bits(int group) { return group <= 4 ? 2 : group <= 8 ? 3 : 4; }

template <Element kTypeT, Kept kKeptT, int kTileMT, int kTileNT, int kTileKT, int kStagesT, int kClusterT,
          int kRatioT = kKeptT == Kept::dense ? 1 : 2, int kIndexBitsT = 2>
struct WarpgroupTile {
  static constexpr Element kType = kTypeT;
  static constexpr bool kSparse = kKeptT != Kept::dense;
  static constexpr int kTileM = kTileMT, kTileN = kTileNT, kTileK = kTileKT;  ///< of a CTA; k in dense elements
  static constexpr int kStages = kStagesT;
  static constexpr int kCluster = kClusterT;  ///< CTAs of a cluster: neighbours along m, which share their B
  static constexpr int kConsumers = 2;        ///< warpgroups that multiply
  static constexpr int kThreads = (1 + kConsumers) * kWarpgroup;

  static constexpr int kConsumerM = kTileM / kConsumers;
  static constexpr int kBlocks = kConsumerM / kWarpgroupM;  ///< of 64 rows of a consumer
  static constexpr int kRegisters = kTileN / 2;             ///< of accumulators, of one block and thread

  static constexpr int kRatio = kRatioT;          ///< dense elements of A for each that is stored
  static constexpr int kIndexBits = kIndexBitsT;  ///< of metadata, of a stored element
  static constexpr int kRowBytesB = kTileK * element_bytes(kType);
  static constexpr int kRowBytesA = kRowBytesB / kRatio;
  static constexpr int kLinesB = kRowBytesB / kLine;
  static constexpr int kStepBytesA = 32, kStepBytesB = 32 * kRatio;  ///< of k, of one instruction
  static constexpr int kSteps = kRowBytesB / kStepBytesB;
  /// Metadata words of a lane, block and k-tile: two instructions share one where that is enough for both.
  static constexpr bool kSharedWords = kStepBytesA / element_bytes(kType) * kIndexBits <= 32;
  static constexpr int kWordsE = kSparse ? kSteps / (kSharedWords ? 2 : 1) : 0;
  static constexpr int kStepsPerWord = kSparse ? kSteps / kWordsE : 1;

  // A stage in shared memory: A, then B. The mbarriers stand behind the last stage.
  static constexpr int kBytesA = kTileM * kRowBytesA, kBytesB = kTileN * kRowBytesB;
  static constexpr int kStageBytes = kBytesA + kBytesB;
  static constexpr int kSharedBytes = kStages * kStageBytes + 2 * kStages * 8;
  static constexpr int kBoxB = kTileN / kCluster;  ///< rows of B that one CTA fetches for its cluster
  /// Tiles per raster group: what runs at once is near a square, narrower where each CTA fetches all of its B.
  static constexpr int kGroupN = (kCluster == 1 ? 1024 : 2048) / kTileN;
  static constexpr int kAccumulators = kBlocks * kRegisters;

  static_assert(kRowBytesB == kLinesB * kLine && (kLinesB == 1 || kRatio == 4), "a k-tile of B is whole lines");
  static_assert(kStageBytes % 1024 == 0 && kBytesA % 1024 == 0, "swizzles repeat every 1024 bytes");
  static_assert(kSharedBytes <= 227 * 1024, "shared memory of sm_90");
  static_assert(kTileM % (kConsumers * kWarpgroupM) == 0 && kTileM <= 256 && kTileN <= 256, "boxes and instructions");
  static_assert(kAccumulators <= 128, "registers");
};

}  // namespace stc::kernels
