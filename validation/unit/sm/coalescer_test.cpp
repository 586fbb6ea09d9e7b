// SPDX-License-Identifier: Apache-2.0
// Wavefronts, bank conflicts and sectors of single accesses, by hand.
#include "models/sm/coalescer.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace stc::sm {
namespace {

using Addresses = std::array<std::uint64_t, isa::kWarpSize>;
constexpr isa::LaneMask kAll = 0xffffffffu;

Addresses strided(std::uint64_t stride) {
  Addresses a{};
  for (std::size_t lane = 0; lane < a.size(); ++lane) a[lane] = lane * stride;
  return a;
}

Wavefronts loads(const Addresses& a, isa::LaneMask lanes, int bytes) {
  return shared_wavefronts(a.data(), lanes, bytes, SharedAccess::kLoad);
}
Wavefronts stores(const Addresses& a, isa::LaneMask lanes, int bytes) {
  return shared_wavefronts(a.data(), lanes, bytes, SharedAccess::kStore);
}

/// Bit i of a lane's number adds bytes[i].
Addresses by_bits(const std::array<std::uint64_t, 5>& bytes) {
  Addresses a{};
  for (std::size_t lane = 0; lane < a.size(); ++lane) {
    for (std::size_t bit = 0; bit < bytes.size(); ++bit) a[lane] += (lane >> bit & 1u) != 0 ? bytes[bit] : 0;
  }
  return a;
}

TEST(SharedWavefronts, ConsecutiveWordsTakeOne) { EXPECT_EQ(loads(strided(4), kAll, 4).total, 1); }

TEST(SharedWavefronts, StrideMakesConflicts) {
  for (const int ways : {1, 2, 4, 8, 16, 32}) {
    const Wavefronts w = loads(strided(4 * static_cast<std::uint64_t>(ways)), kAll, 4);
    EXPECT_EQ(w.total, ways);
    EXPECT_EQ(w.conflicts, ways - 1);
  }
}

TEST(SharedWavefronts, TheSameWordIsBroadcast) { EXPECT_EQ(loads(strided(0), kAll, 4).total, 1); }

TEST(SharedWavefronts, WideAccessesGoInParts) {
  EXPECT_EQ(loads(strided(8), kAll, 8).total, 2);
  EXPECT_EQ(loads(strided(16), kAll, 16).total, 4);
  EXPECT_EQ(loads(strided(16), kAll, 16).conflicts, 0);
  // Rows of 128 bytes: the eight lanes of a quarter-warp all start in bank 0.
  EXPECT_EQ(loads(strided(128), kAll, 16).total, 32);
}

TEST(SharedWavefronts, LoadsOfNeighboursThatShareWordsAreServedTogether) {
  EXPECT_EQ(loads(strided(0), kAll, 8).total, 1);
  EXPECT_EQ(loads(strided(0), kAll, 16).total, 2);                     // a half-warp each
  EXPECT_EQ(loads(by_bits({0, 8, 16, 32, 64}), kAll, 8).total, 1);     // lanes 2i and 2i + 1
  EXPECT_EQ(loads(by_bits({8, 0, 16, 32, 64}), kAll, 8).total, 1);     // lanes i and i + 2
  EXPECT_EQ(loads(by_bits({8, 16, 0, 32, 64}), kAll, 8).total, 2);     // lanes i and i + 4 do not count
  EXPECT_EQ(loads(by_bits({16, 32, 0, 0, 0}), kAll, 16).total, 4);     // four words, but no neighbours share
  EXPECT_EQ(loads(by_bits({16, 0, 32, 0, 0}), kAll, 16).total, 2);     // the same words
  EXPECT_EQ(loads(by_bits({0, 0, 80, 160, 320}), kAll, 16).total, 2);  // padded rows
  // Neighbours share in the lower half-warp alone: the rule is one of the whole warp.
  EXPECT_EQ(loads(by_bits({16, 32, 0, 0, 0}), 0xffff5555u, 16).total, 4);
  const Wavefronts w = loads(by_bits({0, 128, 256, 0, 0}), kAll, 16);  // shared, but in one bank
  EXPECT_EQ(w.total, 8);
  EXPECT_EQ(w.conflicts, 6);
}

TEST(SharedWavefronts, StoresNeverShare) {
  EXPECT_EQ(stores(strided(0), kAll, 8).total, 2);
  EXPECT_EQ(stores(strided(0), kAll, 16).total, 4);
  EXPECT_EQ(stores(by_bits({0, 16, 32, 64, 128}), kAll, 16).total, 4);
}

TEST(SharedWavefronts, PartsWithoutLanesTakeTheirTurn) {
  EXPECT_EQ(loads(strided(16), 0xffu, 16).idle, 3);
  EXPECT_EQ(loads(strided(16), kAll, 16).parts, 4);
  EXPECT_EQ(loads(strided(0), kAll, 16).parts, 2);
  EXPECT_EQ(loads(strided(16), 0xffff0000u, 16).idle, 2);
  EXPECT_EQ(loads(strided(0), 0xffffu, 16).idle, 1);  // a half-warp at once
  EXPECT_EQ(loads(strided(0), 0xffffu, 8).idle, 0);
  EXPECT_EQ(stores(strided(8), 0x1u, 8).idle, 1);
  EXPECT_EQ(loads(strided(4), 0x1u, 4).idle, 0);
  EXPECT_EQ(stores(strided(16), 0, 16).idle, 0);
}

TEST(SharedWavefronts, IdleLanesDoNotCount) {
  EXPECT_EQ(loads(strided(128), 0x3, 4).total, 2);
  EXPECT_EQ(loads(strided(128), 0, 4).total, 0);
  EXPECT_EQ(loads(by_bits({16, 32, 0, 0, 0}), 0x55555555u, 16).total, 2);  // no neighbour has other words
  EXPECT_EQ(loads(strided(16), 0xffu, 16).total, 1);
}

TEST(MatrixWavefronts, OneRowGroupPerMatrix) {
  EXPECT_EQ(matrix_wavefronts(strided(16).data(), 1).total, 1);
  EXPECT_EQ(matrix_wavefronts(strided(16).data(), 4).total, 4);
  EXPECT_EQ(matrix_wavefronts(strided(128).data(), 4).total, 32);
  EXPECT_EQ(matrix_wavefronts(strided(64).data(), 4).total, 16);
  EXPECT_EQ(matrix_wavefronts(strided(64).data(), 4).conflicts, 12);
}

TEST(AtomicPasses, EqualAddressesAreServedInTurn) {
  EXPECT_EQ(atomic_passes(strided(4).data(), kAll), 1);
  EXPECT_EQ(atomic_passes(strided(0).data(), kAll), 32);
}

TEST(Coalesce, LinesAndSectors) {
  LineList list;
  coalesce(strided(4).data(), kAll, 4, list);
  ASSERT_EQ(list.count, 1);
  EXPECT_EQ(list.lines[0].sectors, 0xf);
  coalesce(strided(16).data(), kAll, 16, list);
  EXPECT_EQ(list.count, 4);
  EXPECT_EQ(list.sectors(), 16);
  coalesce(strided(128).data(), kAll, 4, list);
  EXPECT_EQ(list.count, 32);
  EXPECT_EQ(list.sectors(), 32);
  coalesce(strided(32).data(), 0x5, 8, list);
  ASSERT_EQ(list.count, 1);
  EXPECT_EQ(list.lines[0].sectors, 0b0101);
  EXPECT_EQ(list.lines[0].words, 0x00030003u);
  coalesce(strided(2).data(), 0x80000001, 2, list);
  EXPECT_EQ(list.lines[0].words, 0x00008001u) << "a word counts when one of its bytes is touched";
}

/// Rows of `row_lanes` * 16 bytes in lines of their own, `pitch` bytes apart in shared memory behind `shift`.
LineList copied_rows(std::uint64_t row_lanes, std::uint32_t pitch, std::uint32_t shift) {
  Addresses from{};
  std::array<std::uint32_t, isa::kWarpSize> to{};
  for (std::uint64_t lane = 0; lane < from.size(); ++lane) {
    const std::uint64_t row = lane / row_lanes, column = lane % row_lanes * 16;
    from[lane] = row * 1024 + column;
    to[lane] = static_cast<std::uint32_t>(row * pitch + column) + shift;
  }
  LineList list;
  coalesce_copy(from.data(), to.data(), kAll, list);
  return list;
}

struct CopiedRows {
  std::uint64_t row_lanes;
  std::uint32_t pitch, shift;
  int sectors, requests;
};

TEST(CoalesceCopy, ASectorGoesOnceForEachSectorThatTakesSomeOfIt) {
  // Pitches of 64-byte rows as an H200 counts them: 1.5 times the sectors and 1.9 times the requests at 80 bytes.
  for (const CopiedRows& rows : {CopiedRows{4, 64, 0, 16, 8},
                                 {4, 80, 0, 24, 15},
                                 {4, 96, 0, 16, 10},
                                 {4, 128, 0, 16, 8},
                                 {4, 128, 16, 32, 16},
                                 {8, 128, 0, 16, 4},
                                 {8, 160, 0, 16, 7}}) {
    const LineList list = copied_rows(rows.row_lanes, rows.pitch, rows.shift);
    EXPECT_EQ(list.sectors(), rows.sectors) << "pitch " << rows.pitch << " shift " << rows.shift;
    EXPECT_EQ(list.count, rows.requests) << "pitch " << rows.pitch << " shift " << rows.shift;
  }
}

TEST(CoalesceCopy, ASwizzleOfWholeLinesChangesNothing) {
  Addresses from{};
  std::array<std::uint32_t, isa::kWarpSize> to{};
  for (std::uint64_t lane = 0; lane < from.size(); ++lane) {
    const std::uint64_t row = lane / 8, column = lane % 8;
    from[lane] = row * 4096 + column * 16;
    to[lane] = static_cast<std::uint32_t>(row * 128 + (column ^ (row + 3)) * 16);
  }
  LineList list;
  coalesce_copy(from.data(), to.data(), kAll, list);
  ASSERT_EQ(list.count, 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(list.lines[i].sectors, 0xf);
  coalesce_copy(from.data(), to.data(), kAll & ~1u, list);  // the same by the general way
  EXPECT_EQ(list.count, 4);
  EXPECT_EQ(list.sectors(), 16);
}

/// Requests by line, sectors and words, in no order.
std::multiset<std::array<std::uint64_t, 3>> requests_of(const LineList& list) {
  std::multiset<std::array<std::uint64_t, 3>> all;
  for (int i = 0; i < list.count; ++i) {
    const LineAccess& one = list.lines[static_cast<std::size_t>(i)];
    all.insert({one.line, one.sectors, one.words});
  }
  return all;
}

TEST(CoalesceCopy, RowsOfHalfALineAskForTheSameFromTheLastLaneOn) {
  const std::vector<std::array<std::uint64_t, 3>> cases = {
      // bytes between rows in global memory, in shared memory, bits that swizzle 16 bytes of a row
      {1024, 64, 0}, {1024, 128, 0}, {1024, 128, 1}, {1024, 128, 2},
      {64, 64, 0},   {64, 128, 0},   {192, 128, 3},  {1088, 64, 1}};
  for (const auto& [between, pitch, swizzle] : cases) {
    Addresses from{}, from_back{};
    std::array<std::uint32_t, isa::kWarpSize> to{}, to_back{};
    for (std::size_t lane = 0; lane < from.size(); ++lane) {
      const std::uint64_t row = lane / 4, column = lane % 4;
      from[lane] = from_back[31 - lane] = row * between + column * 16;
      to[lane] = to_back[31 - lane] = static_cast<std::uint32_t>(row * pitch + (column ^ (row & swizzle)) * 16);
    }
    LineList list, back;
    coalesce_copy(from.data(), to.data(), kAll, list);
    coalesce_copy(from_back.data(), to_back.data(), kAll, back);  // the general way
    EXPECT_EQ(requests_of(list), requests_of(back)) << between << " " << pitch << " " << swizzle;
  }
}

}  // namespace
}  // namespace stc::sm
