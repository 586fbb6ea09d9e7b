// SPDX-License-Identifier: Apache-2.0
// Prints the kernels of training_table.h, one line of key=value pairs each, with what follows from the geometry.
#include <cstdio>
#include <string>

#include "validation/kernels/training_tile.h"

namespace {

using namespace stc::kernels;

template <class Tile>
void print_gemm(const std::string& kept, const std::string& a, const std::string& b, const std::string& d,
                const std::string& epilogue, const std::string& tile, int ctas_per_sm) {
  const std::string name = "train_" + kept + "_" + a + "_" + b + "_" + d + (epilogue == "none" ? "" : "_" + epilogue);
  std::printf("name=%s_%s kept=%s a=%s b=%s d=%s epilogue=%s ", name.c_str(), tile.c_str(), kept.c_str(), a.c_str(),
              b.c_str(), d.c_str(), epilogue.c_str());
  std::printf("tile_m=%d tile_n=%d tile_k=%d warp_m=%d warp_n=%d stages=%d ctas_per_sm=%d ", Tile::kTileM, Tile::kTileN,
              Tile::kTileK, Tile::kWarpM, Tile::kWarpN, Tile::kStages, ctas_per_sm);
  std::printf("threads=%d shared_bytes=%d sparse=%d fused=%d parts=%d\n", Tile::kThreads, Tile::kSharedBytes,
              Tile::kSparse, epilogue == "relu2" || epilogue == "relu2_gradient", epilogue == "parts");
}

/// form: 2 chooses masks for rows and columns, 1 for rows, 0 takes those of another matrix.
void print_prune(const std::string& choice, int form) {
  std::printf("name=train_prune_%s choice=%s form=%d threads=%d shared_bytes=0 tile_rows=%d tile_columns=%d\n",
              choice.c_str(), choice.c_str(), form, kPruneThreads, kPruneRows, kPruneColumns);
}

}  // namespace

int main() {
#define STC_TRAINING_GEMM(KEPT, A, B, D, EPILOGUE, M, N, K, WARP_M, WARP_N, STAGES, CTAS) \
  print_gemm<GemmTile<Element::f16, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>(        \
      #KEPT, #A, #B, #D, #EPILOGUE, #M "x" #N "x" #K "_s" #STAGES, CTAS);
#define STC_TRAINING_PRUNE(CHOICE, FORM) print_prune(#CHOICE, FORM);
#include "validation/kernels/training_table.h"
#undef STC_TRAINING_GEMM
#undef STC_TRAINING_PRUNE
}
