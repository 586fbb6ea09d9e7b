// SPDX-License-Identifier: Apache-2.0
// Prints the convolution kernels of convolution_table.h, one line of key=value pairs each.
#include <cstdio>

#include "validation/kernels/gemm_tile.h"

namespace {

using namespace stc::kernels;

// One name per 32-bit argument behind the pointers; traces/kernels/README.md says what each is.
constexpr const char* kScalars =
    "pixels,image,image_multiplier,image_shift,q,q_multiplier,q_shift,h,w,c,k,r,s,stride,pad,tiles_k,step_r,step_s,"
    "step_c,scale";

template <class Tile>
void print(const char* name, const char* element, const char* kept, int ctas_per_sm) {
  std::printf("name=%s element=%s kept=%s tile_m=%d tile_n=%d tile_k=%d warp_m=%d warp_n=%d stages=%d ctas_per_sm=%d ",
              name, element, kept, Tile::kTileM, Tile::kTileN, Tile::kTileK, Tile::kWarpM, Tile::kWarpN, Tile::kStages,
              ctas_per_sm);
  std::printf("threads=%d shared_bytes=%d metadata_k=%d arguments=[%s,%s]\n", Tile::kThreads, Tile::kSharedBytes,
              Tile::kSparse ? metadata_k(Tile::kType) : 0, Tile::kSparse ? "A,E,X,D" : "A,X,D", kScalars);
}

}  // namespace

int main() {
#define STC_CONVOLUTION(ELEMENT, KEPT, M, N, K, WARP_M, WARP_N, STAGES, CTAS)     \
  print<GemmTile<Element::ELEMENT, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>( \
      "conv_" #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_w" #WARP_M "x" #WARP_N "_s" #STAGES, #ELEMENT, #KEPT, CTAS);
#include "validation/kernels/convolution_table.h"
#undef STC_CONVOLUTION
}
