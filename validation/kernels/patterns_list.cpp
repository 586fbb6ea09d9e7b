// SPDX-License-Identifier: Apache-2.0
// Prints the kernels of patterns_table.h, one line of key=value pairs each, with what follows from the geometry.
#include <cstdio>

#include "validation/kernels/wgmma_tile.h"

namespace {

using namespace stc::kernels;

template <class Tile>
void print(const char* kept, int n, int m) {
  std::printf("name=f16_%s_%dx%dx%d_wg%dx%d_s%d_c1x1 element=f16 kept=%s pattern_n=%d pattern_m=%d ", kept,
              Tile::kTileM, Tile::kTileN, Tile::kTileK, Tile::kConsumerM, Tile::kTileN, Tile::kStages, kept, n, m);
  std::printf("tile_m=%d tile_n=%d tile_k=%d warpgroup_m=%d warpgroup_n=%d stages=%d cluster=%d ", Tile::kTileM,
              Tile::kTileN, Tile::kTileK, Tile::kConsumerM, Tile::kTileN, Tile::kStages, Tile::kCluster);
  std::printf("threads=%d shared_bytes=%d metadata_k=%d raster_group=%d\n", Tile::kThreads, Tile::kSharedBytes,
              Tile::kTileK / Tile::kWordsE, Tile::kGroupN);
}

}  // namespace

int main() {
#define STC_PATTERN_GEMM(N, M, TILE_M, TILE_N, TILE_K, STAGES)                                             \
  print<WarpgroupTile<Element::f16, Kept::sp24, TILE_M, TILE_N, TILE_K, STAGES, 1, M / N, index_bits(M)>>( \
      "sp" #N "of" #M, N, M);
#include "validation/kernels/patterns_table.h"
#undef STC_PATTERN_GEMM
}
