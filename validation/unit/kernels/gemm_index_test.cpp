// SPDX-License-Identifier: Apache-2.0
// The index functions of the GEMM kernels, for every kernel of the library: each chunk is copied once, no access
// conflicts in shared memory, and ldmatrix delivers the fragments that the matrix instruction wants.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/isa/mma/fragment_layout.h"
#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {
namespace {

using Chunk = std::pair<std::uint32_t, std::uint32_t>;  // row, 16-byte chunk of the row

template <class Tile>
isa::MmaOp instruction() {
  isa::MmaOp op;
  op.k = static_cast<std::uint16_t>(Tile::kStepBytesB / element_bytes(Tile::kType));
  const auto format = Tile::kType == Element::f16    ? isa::NumberFormat::f16
                      : Tile::kType == Element::bf16 ? isa::NumberFormat::bf16
                      : Tile::kType == Element::tf32 ? isa::NumberFormat::tf32
                                                     : isa::NumberFormat::s8;
  op.a = op.b = format;
  op.c = Tile::kType == Element::s8 ? isa::NumberFormat::s32 : isa::NumberFormat::f32;
  op.sparse = Tile::kSparse;
  if (op.sparse) op.pattern = Tile::kType == Element::tf32 ? sparsity::Pattern{1, 2} : sparsity::Pattern{2, 4};
  return op;
}

/// Which chunk of the operand lies at each byte offset, as the copies of all threads leave it.
std::map<std::uint32_t, Chunk> copied(std::uint32_t threads, std::uint32_t chunks, std::uint32_t passes,
                                      std::uint32_t (*target)(std::uint32_t, std::uint32_t)) {
  std::map<std::uint32_t, Chunk> at;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const Chunk chunk{thread / chunks + pass * (threads / chunks), thread % chunks};
      const std::uint32_t offset = target(thread, chunks) + pass * threads * kChunk;
      EXPECT_TRUE(at.emplace(offset, chunk).second) << "offset " << offset << " is written twice";
    }
  }
  return at;
}

/// Eight lanes' 16-byte accesses take one pass when they fall into eight different groups of four banks.
void expect_no_conflict(const std::vector<std::uint32_t>& offsets) {
  std::set<std::uint32_t> groups;
  for (const std::uint32_t offset : offsets) groups.insert(offset / kChunk % 8);
  EXPECT_EQ(groups.size(), offsets.size()) << "first offset " << offsets.front();
}

void expect_conflict_free_copies(std::uint32_t threads, std::uint32_t chunks,
                                 std::uint32_t (*target)(std::uint32_t, std::uint32_t)) {
  for (std::uint32_t thread = 0; thread < threads; thread += 8) {
    std::vector<std::uint32_t> offsets;
    for (std::uint32_t i = 0; i < 8; ++i) offsets.push_back(target(thread + i, chunks));
    expect_no_conflict(offsets);
  }
}

/// Row and byte of k that register `reg` of `lane` receives from an ldmatrix whose lanes pass `addresses`.
struct Received {
  std::uint32_t row, byte;
};
Received received(const std::map<std::uint32_t, Chunk>& at, const std::vector<std::uint32_t>& addresses,
                  std::uint32_t reg, std::uint32_t lane) {
  const auto found = at.find(addresses[reg * 8 + lane / 4]);
  if (found == at.end()) {
    ADD_FAILURE() << "address " << addresses[reg * 8 + lane / 4] << " is outside the operand";
    return {};
  }
  return {found->second.first, found->second.second * kChunk + lane % 4 * 4};
}

void expect_conflict_free_load(const std::vector<std::uint32_t>& addresses) {
  for (std::size_t matrix = 0; matrix < 4; ++matrix) {
    expect_no_conflict({addresses.begin() + static_cast<std::ptrdiff_t>(matrix * 8),
                        addresses.begin() + static_cast<std::ptrdiff_t>(matrix * 8 + 8)});
  }
}

template <class Tile>
void check_a() {
  const isa::MmaOp op = instruction<Tile>();
  const auto at = copied(Tile::kThreads, Tile::kChunksA, Tile::kCopiesA, &Tile::copy_target);
  ASSERT_EQ(at.size() * kChunk, static_cast<std::size_t>(Tile::kBytesA));
  expect_conflict_free_copies(Tile::kThreads, Tile::kChunksA, &Tile::copy_target);
  const int bytes = element_bytes(Tile::kType);
  for (std::uint32_t warp = 0; warp < Tile::kWarpsM; ++warp) {
    for (int step = 0; step < Tile::kSteps; ++step) {
      for (int i = 0; i < Tile::kMmaTilesM; ++i) {
        std::vector<std::uint32_t> addresses;
        for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
          addresses.push_back(Tile::address_a(Tile::load_a(lane, warp), step, i));
        }
        expect_conflict_free_load(addresses);
        for (int row = 0; row < kMmaM; ++row) {
          for (int k = 0; k < op.stored_k(); ++k) {
            const auto want = place_in_a(op, row, k);
            const auto got =
                received(at, addresses, static_cast<std::uint32_t>(want.reg), static_cast<std::uint32_t>(want.lane));
            ASSERT_EQ(got.row, warp * Tile::kWarpM + static_cast<std::uint32_t>(i * kMmaM + row));
            ASSERT_EQ(static_cast<int>(got.byte) + want.bit / 8, (step * op.stored_k() + k) * bytes);
          }
        }
      }
    }
  }
}

template <class Tile>
void check_b() {
  const isa::MmaOp op = instruction<Tile>();
  const auto at = copied(Tile::kThreads, Tile::kChunksB, Tile::kCopiesB, &Tile::copy_target);
  ASSERT_EQ(at.size() * kChunk, static_cast<std::size_t>(Tile::kBytesB));
  expect_conflict_free_copies(Tile::kThreads, Tile::kChunksB, &Tile::copy_target);
  const int bytes = element_bytes(Tile::kType);
  for (std::uint32_t warp = 0; warp < Tile::kTileN / Tile::kWarpN; ++warp) {
    for (int step = 0; step < Tile::kSteps; ++step) {
      for (int j = 0; j < Tile::kMmaTilesN; j += Tile::kFragmentsPerLoadB) {
        std::vector<std::uint32_t> addresses;
        for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
          addresses.push_back(Tile::address_b(Tile::load_b(lane, warp), step, j) - Tile::kBytesA);
        }
        expect_conflict_free_load(addresses);
        for (int column = 0; column < kMmaN * Tile::kFragmentsPerLoadB; ++column) {
          for (int k = 0; k < op.k; ++k) {
            const auto want = place_in_b(op, k, column % kMmaN);
            const int reg = column / kMmaN * Tile::kRegistersB + want.reg;
            const auto got =
                received(at, addresses, static_cast<std::uint32_t>(reg), static_cast<std::uint32_t>(want.lane));
            ASSERT_EQ(got.row, warp * Tile::kWarpN + static_cast<std::uint32_t>(j * kMmaN + column));
            ASSERT_EQ(static_cast<int>(got.byte) + want.bit / 8, (step * op.k + k) * bytes);
          }
        }
      }
    }
  }
}

template <class Tile>
void check_metadata() {
  if (!Tile::kSparse) return;
  for (std::uint32_t warp = 0; warp < Tile::kWarpsM; ++warp) {
    for (int step = 0; step < Tile::kSteps; ++step) {
      for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
        for (std::uint32_t i = 0; i < Tile::kMmaTilesM; ++i) {
          // Register i of the lane comes from the row whose address lane 8 i + lane / 4 passed.
          const std::uint32_t start = Tile::load_e(i * 8 + lane / 4, warp) - Tile::kBytesA - Tile::kBytesB;
          const std::uint32_t word = (Tile::address_e(start, step) + lane % 4 * 4) / 4;
          const int block = step / Tile::kStepsPerMetadata * Tile::kTileM / kMmaM;
          ASSERT_EQ(word, (static_cast<std::uint32_t>(block) + warp * Tile::kMmaTilesM + i) * kWarp + lane);
        }
      }
    }
  }
}

#define STC_GEMM(ELEMENT, KEPT, M, N, K, WARP_M, WARP_N, STAGES, CTAS)                     \
  TEST(GemmIndex, ELEMENT##_##KEPT##_##M##x##N##x##K##_w##WARP_M##x##WARP_N##_s##STAGES) { \
    using Tile = GemmTile<Element::ELEMENT, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>;  \
    check_a<Tile>();                                                                       \
    check_b<Tile>();                                                                       \
    check_metadata<Tile>();                                                                \
  }
#include "validation/kernels/gemm_table.h"
#undef STC_GEMM

TEST(GemmRaster, EveryTileHasOneCta) {
  for (const auto& [tiles_m, tiles_n, group] : {std::tuple{8u, 32u, 16u}, {5u, 22u, 16u}, {1u, 3u, 8u}, {7u, 8u, 8u}}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::uint32_t cta = 0; cta < tiles_m * tiles_n; ++cta) {
      const TileIndex tile = rasterise(cta, tiles_m, tiles_n, group);
      EXPECT_LT(tile.m, tiles_m);
      EXPECT_LT(tile.n, tiles_n);
      seen.emplace(tile.m, tile.n);
    }
    EXPECT_EQ(seen.size(), tiles_m * tiles_n);
  }
}

TEST(GemmRaster, GroupIsWalkedAlongNFirst) {
  const TileIndex second_row = rasterise(16, 8, 32, 16), second_group = rasterise(8 * 16, 8, 32, 16);
  EXPECT_EQ(std::pair(second_row.m, second_row.n), std::pair(1u, 0u));
  EXPECT_EQ(std::pair(second_group.m, second_group.n), std::pair(0u, 16u));
}

}  // namespace
}  // namespace stc::kernels
