// SPDX-License-Identifier: Apache-2.0
// A sweep file, read and checked (configs/sweeps/README.md describes the keys). Nothing is built or run yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/mma/number_format.h"
#include "models/sparsity/pattern.h"
#include "sim/config/study_nodes.h"

namespace stc::sim {

/// D[m,n] = A[m,k] x B[k,n], as the layer has it.
struct SweepShape {
  std::string name;
  std::string place;
  int m = 0, n = 0, k = 0;
};

/// A way to cut the GEMM. `k` is the least depth in dense elements: it grows to whole matrix instructions of a pattern.
struct SweepTile {
  std::string place;
  int m = 0, n = 0, k = 0;
  int warp_m = 64, warp_n = 64;
  int stages = 3;
};

struct SweepWeights {
  std::string file;  ///< .npy; empty: drawn
  std::string distribution = "normal";
  std::uint64_t seed = 1;
};

/// One question: how long does this shape take with this pattern? Answered by the best of its tiles.
struct SweepCase {
  std::string place;
  std::size_t gpu = 0;  ///< index into Sweep::gpus, and so on
  std::size_t shape = 0;
  isa::NumberFormat type = isa::NumberFormat::f16;
  sparsity::Pattern pattern;
  std::vector<std::size_t> tiles;
  bool reference = false;  ///< dense, added because speedups need it

  bool same_question(const SweepCase& other) const {
    return gpu == other.gpu && shape == other.shape && type == other.type && pattern == other.pattern;
  }
};

struct Sweep {
  std::string file;
  std::string title;
  std::vector<GpuVariant> gpus;
  std::vector<SweepShape> shapes;
  std::vector<SweepTile> tiles;
  SweepWeights weights;
  bool compiled = false;  ///< kernels of the library instead of built ones
  bool pad = false;       ///< sizes may grow to whole tiles; else they must be multiples
  bool warm_l2 = false;
  std::string kernels_folder;
  /// In the order of the file; each sparse one has a dense one of the same GPU, shape and type.
  std::vector<SweepCase> cases;
};

/// UserError for everything that is wrong with the file alone.
Sweep read_sweep(const std::string& file, const std::vector<Override>& overrides = {});

}  // namespace stc::sim
