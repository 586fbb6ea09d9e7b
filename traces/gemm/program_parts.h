// SPDX-License-Identifier: Apache-2.0
// The three parts of a GEMM program. Blocks: 0 prologue, 1 .. unroll the loop's k-tiles, then the epilogue.
#pragma once

#include "traces/gemm/control_codes.h"
#include "traces/gemm/gemm_design.h"

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
/// Copies of a whole k-tile, `stage_offset` bytes behind the write addresses; each bundle ends in one copy.
Bundles copy_tile(const GemmDesign& d, int stage_offset);
/// Moves the source pointers to the next k-tile.
Bundles advance_sources(const GemmDesign& d);
/// What moves on at the beginning of a k-tile of the loop, in pieces that follow each other; before any copy.
Bundles tile_chores(const GemmDesign& d);
/// Bytes from the stage read now to the next one, and adding them to the addresses.
Bundle read_step(const GemmDesign& d);
Bundle move_reading(const GemmDesign& d);
/// Sets the predicates of copies that not all threads take part in; kPredicateMore must be set.
Bundle partial_copy_predicates(const GemmDesign& d);

// Predicates.
constexpr int kPredicateMore = 0;     ///< the k-tile to be copied exists
constexpr int kPredicateLoop = 1;     ///< another k-tile follows
constexpr int kPredicatePartial = 2;  ///< and the next: partial copies
constexpr int kPartialPredicates = 2;
constexpr int kPredicateWrapRead = 4;
constexpr int kPredicateWrapWrite = 5;
constexpr int kPredicateCarry = 6;

// Scoreboards; 0 is that of asynchronous copies.
constexpr int kScoreboardFragments = 1;    ///< the first of those of fragments; there are three
constexpr int kScoreboardCopyAddress = 4;  ///< addresses of copies and stores; two numbers in turn
constexpr std::uint8_t kFragmentScoreboards = 0b1110;
inline int metadata_scoreboard() { return kScoreboardFragments; }
/// Scoreboards of fragments in register set `set`. A load for the item after next must not hold up the next one: sets
/// have scoreboards of their own, where both operands change sets together the same ones. Where B does so more often
/// than A, A shares that of metadata.
inline int b_scoreboard(const GemmDesign& d, int set) { return kScoreboardFragments + set + (d.sparse ? 1 : 0); }
inline int a_scoreboard(const GemmDesign& d, int set) {
  return d.geometry.parts == 1 ? b_scoreboard(d, set) : kScoreboardFragments;
}

}  // namespace stc::gemm
