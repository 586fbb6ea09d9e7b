// SPDX-License-Identifier: Apache-2.0
// A study of crossovers, read and checked (configs/crossover/README.md describes the keys). Nothing runs yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/study_nodes.h"

namespace stc::sim {

/// D[m,n] = A[m,k] x B[k,n]. A is drawn, pruned from weights, or a matrix as it is.
struct StudyShape {
  std::string name;
  std::string place;
  int m = 0, n = 0, k = 0;
  std::string weights;  ///< .npy file; pruned by magnitude
  std::string matrix;   ///< .mtx file; it has one density, its own
  double density = 0;   ///< of `matrix`

  std::string sizes() const;  ///< "256 x 2048 x 2048"
};

/// Who competes.
enum class ContenderKind : std::uint8_t { kDense, kStructured, kUnstructured };

/// A way to compute the product: format and element type, "csr_f32", "sp24_f16", "dense_f16".
struct Contender {
  std::string name;
  std::string place;
  ContenderKind kind = ContenderKind::kDense;
  std::string format;   ///< dense, sp24, sp12 or one of the family spmm
  std::string element;  ///< f32, f16, ...
};

struct Study {
  std::string file;
  std::string title;
  std::vector<GpuVariant> gpus;
  std::vector<StudyShape> shapes;
  std::vector<double> densities;  ///< descending: sparsity grows
  std::vector<Contender> contenders;
  std::vector<std::string> gemm_tiles;  ///< "128x128x64_w64x64_s3"; empty: all of the library
  bool full_values = false;             ///< results are computed and checked
  bool warm_l2 = false;
  bool pad = false;  ///< dense and 2:4 kernels may compute whole tiles beyond the sizes
  std::uint64_t seed = 1;
  std::string kernels_folder;

  /// Densities at which a shape is run: the study's, or the one of its matrix.
  std::vector<double> densities_of(const StudyShape& shape) const;
};

/// UserError for everything that is wrong with the file or the matrices that it names.
Study read_study(const std::string& file, const std::vector<Override>& overrides = {});

}  // namespace stc::sim
