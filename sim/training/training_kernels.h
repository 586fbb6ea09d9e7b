// SPDX-License-Identifier: Apache-2.0
// The compiled kernels of a training step: what traces/kernels/training.yaml says about each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stc::sim {

/// Storage of a GEMM's operands by slow and fast index: A mk or km, B nk or kn, D mn or nm.
struct GemmStorage {
  std::string a, b, d;
  bool operator==(const GemmStorage& other) const { return a == other.a && b == other.b && d == other.d; }
};

struct TrainingKernel {
  std::string name;    ///< also the symbol
  std::string choice;  ///< of the masks, for a kernel that prunes; empty: a GEMM
  bool sparse = false;
  GemmStorage storage;
  std::string epilogue;        ///< none, relu2, relu2_gradient, parts
  int tile_m = 0, tile_n = 0;  ///< rows and columns for a kernel that prunes
  int tile_k = 0, ctas_per_sm = 0;
  std::uint32_t threads = 0, dynamic_shared_bytes = 0;
  std::map<int, std::string> cubins;  ///< path by SM version

  bool prunes() const { return !choice.empty(); }
  /// With an activation or its slope, which takes a matrix more.
  bool fused() const { return epilogue == "relu2" || epilogue == "relu2_gradient"; }
  /// CTAs for an m x n result, or for a matrix of m rows and n columns.
  std::uint64_t ctas(int m, int n) const;
};

class TrainingKernels {
 public:
  static TrainingKernels load(const std::string& folder);
  /// Of the kernels that can do it, the one that leaves least work to the fullest of `sms` SMs; small tiles, which move
  /// more operands per product, count for somewhat more. UserError when the library has none.
  const TrainingKernel& gemm(bool sparse, const GemmStorage& storage, const std::string& epilogue, int m, int n,
                             int sms) const;
  const TrainingKernel& prune(const std::string& choice) const;
  const std::vector<TrainingKernel>& all() const { return kernels_; }

 private:
  std::string file_;
  std::vector<TrainingKernel> kernels_;
};

}  // namespace stc::sim
