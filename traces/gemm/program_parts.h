// SPDX-License-Identifier: Apache-2.0
// The three parts of a GEMM program. Blocks: 0 prologue, 1 .. unroll the loop's k-tiles, then the epilogue.
#pragma once

#include "traces/gemm/control_codes.h"
#include "traces/gemm/gemm_design.h"
#include "traces/gemm/scoreboards.h"

namespace stc::gemm {

/// Several instructions that stay together when memory work is spread between matrix instructions.
using Bundle = std::vector<isa::Instruction>;
using Bundles = std::vector<Bundle>;

constexpr int kFirstTileBlock = 1;
inline int epilogue_block(const GemmDesign& d) { return kFirstTileBlock + d.unroll; }

/// Place of the CTA and the thread, addresses, first copies, first fragments.
Block prologue(const GemmDesign& d);
/// K-tile `tile` of the unrolled loop, 0 to unroll - 1.
Block loop_tile(const GemmDesign& d, int tile);
/// Accumulators to D.
Block epilogue(const GemmDesign& d);

// Shared by prologue and loop.

/// Loads that work item `item` of k-tile `tile` of the loop needs and its predecessor did not have, oldest need first.
Bundles fetch(const GemmDesign& d, int tile, int item);
/// Copies of a whole k-tile to the stage written now, or before the loop to stage `stage`; each bundle ends in one
/// copy.
constexpr int kStageOfLoop = -1;
Bundles copy_tile(const GemmDesign& d, int stage);
/// Moves the source pointers to the next k-tile.
Bundle advance_sources(const GemmDesign& d);
/// What a k-tile of the loop begins with: whether it copies, and which stages come next.
Bundle begin_tile(const GemmDesign& d);
/// Where a k-tile's copies go to.
Bundle aim_copies(const GemmDesign& d);
/// Turns to the next stage for reading; and whether this k-tile was the last.
Bundle turn_stage(const GemmDesign& d);
/// Sets the predicates of copies that not all threads take part in; kPredicateDone must be set.
Bundle partial_copy_predicates(const GemmDesign& d);

// Predicates.
constexpr int kPredicateDone = 0;     ///< the k-tile to be copied does not exist
constexpr int kPredicateLast = 1;     ///< no other k-tile follows
constexpr int kPredicatePartial = 2;  ///< and the next: partial copies
constexpr int kPredicateCarry = 4;    ///< and the next two, in turn
constexpr int kCarryPredicates = 3;

// Uniform registers and predicates.
constexpr int kUniformRead = 4, kUniformNextRead = 5;    ///< byte offset of the stage read now, of the next one
constexpr int kUniformWrite = 6, kUniformNextWrite = 7;  ///< the same of the stage that copies go to
constexpr int kUniformTile = 8,
              kUniformCopied = 9;  ///< number of the k-tile, of that to be copied; then kUniformDescriptor
constexpr int kUniformTurnsRead = 0, kUniformTurnsWrite = 1;

// Scoreboards; 0 is that of asynchronous copies.
// share_out_scoreboards() turns these into numbers.
constexpr int kScoreboardMetadata = 1;
/// Fragments in register set `set`, where nvcc waits for all of a step's fragments at once.
inline int fragment_scoreboard(const GemmDesign& d, int set) {
  return d.geometry.parts == 1 ? kScoreboardMetadata + 1 + set : kScoreboardOfItsOwn;
}
/// Lower half of a step's A fragments, which is wanted later; nvcc tells it apart inside a k-tile.
constexpr int kScoreboardLateRows = 8;
constexpr int kScoreboardNextStage = 4;             ///< addresses of loads from the next stage
constexpr std::uint8_t kAllScoreboards = 0b111110;  ///< but that of groups of copies

}  // namespace stc::gemm
