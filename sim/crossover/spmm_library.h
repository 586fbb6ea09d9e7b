// SPDX-License-Identifier: Apache-2.0
// Kernels for matrices whose zeros follow no pattern, and their dense twin in f32: what traces/kernels/spmm.yaml says
// about them (validation/kernels/spmm_*.cuh explain each).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/launch/element_type.h"

namespace stc::sim {

enum class SpmmFormat : std::uint8_t {
  kCsr,     ///< A by rows
  kEll,     ///< A by rows, all as long as the longest
  kCoo,     ///< A as coordinates
  kCsrCsr,  ///< A and B by rows
  kCsc,     ///< A dense, B by columns
  kSgemm,   ///< both dense
  kBitmap,  ///< A as bitmaps and values, for tensor cores
};

const char* name_of(SpmmFormat format);

struct SpmmKernel {
  std::string name;  ///< spmm_csr_f32_64, also the symbol
  SpmmFormat format = SpmmFormat::kCsr;
  ElementType element = ElementType::f32;
  int tile_m = 0;  ///< rows of D that a CTA computes; coo: entries of A that it takes
  int tile_n = 0;  ///< columns of D; csr_csr: 0, all
  std::uint32_t threads = 0;
  int ctas_per_sm = 1;                ///< for which its registers were bounded
  std::uint32_t shared_bytes = 0;     ///< dynamic; csr_csr: 0, it takes 4 n
  std::map<int, std::string> cubins;  ///< path by SM version
};

/// UserError when the folder has no spmm.yaml or it cannot be read.
std::vector<SpmmKernel> load_spmm_library(const std::string& folder);

/// Why the kernel cannot compute D[m,n] = A[m,k] x B[k,n]; empty when it can.
std::string why_unfit(const SpmmKernel& kernel, int m, int n, int k);

}  // namespace stc::sim
