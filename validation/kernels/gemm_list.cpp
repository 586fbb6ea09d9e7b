// SPDX-License-Identifier: Apache-2.0
// Prints the GEMM kernels of gemm_table.h, then those of wgmma_table.h, one line of key=value pairs each, with what
// follows from the geometry.
#include <cstdio>

#include "validation/kernels/gemm_tile.h"
#include "validation/kernels/wgmma_tile.h"

namespace {

using namespace stc::kernels;

template <class Tile>
void print(const char* name, const char* element, const char* kept, int ctas_per_sm) {
  std::printf("name=%s element=%s kept=%s tile_m=%d tile_n=%d tile_k=%d warp_m=%d warp_n=%d stages=%d ctas_per_sm=%d ",
              name, element, kept, Tile::kTileM, Tile::kTileN, Tile::kTileK, Tile::kWarpM, Tile::kWarpN, Tile::kStages,
              ctas_per_sm);
  std::printf("threads=%d shared_bytes=%d metadata_k=%d raster_group=%d\n", Tile::kThreads, Tile::kSharedBytes,
              Tile::kSparse ? metadata_k(Tile::kType) : 0, Tile::kGroupN);
}

template <class Tile>
void print_warpgroups(const char* name, const char* element, const char* kept) {
  std::printf(
      "name=%s element=%s kept=%s tile_m=%d tile_n=%d tile_k=%d warpgroup_m=%d warpgroup_n=%d stages=%d cluster=%d ",
      name, element, kept, Tile::kTileM, Tile::kTileN, Tile::kTileK, Tile::kConsumerM, Tile::kTileN, Tile::kStages,
      Tile::kCluster);
  std::printf("threads=%d shared_bytes=%d metadata_k=%d raster_group=%d\n", Tile::kThreads, Tile::kSharedBytes,
              Tile::kSparse ? metadata_k(Tile::kType) : 0, Tile::kGroupN);
}

}  // namespace

int main() {
#define STC_GEMM(ELEMENT, KEPT, M, N, K, WARP_M, WARP_N, STAGES, CTAS)            \
  print<GemmTile<Element::ELEMENT, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>( \
      #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_w" #WARP_M "x" #WARP_N "_s" #STAGES, #ELEMENT, #KEPT, CTAS);
#include "validation/kernels/gemm_table.h"
#undef STC_GEMM
#define STC_WGMMA_GEMM(ELEMENT, KEPT, M, N, K, CONSUMER_M, STAGES, CLUSTER)                                       \
  static_assert(CONSUMER_M == M / 2);                                                                             \
  print_warpgroups<WarpgroupTile<Element::ELEMENT, Kept::KEPT, M, N, K, STAGES, CLUSTER>>(                        \
      #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_wg" #CONSUMER_M "x" #N "_s" #STAGES "_c" #CLUSTER "x1", #ELEMENT, \
      #KEPT);
#include "validation/kernels/wgmma_table.h"
#undef STC_WGMMA_GEMM
}
