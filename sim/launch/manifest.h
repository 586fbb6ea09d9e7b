// SPDX-License-Identifier: Apache-2.0
// The kernel library: what traces/kernels/manifest.yaml says about each compiled GEMM kernel.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/launch/element_type.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::sim {

struct LibraryKernel {
  std::string name;    ///< f16_sp24_128x128x64_w64x32_s3
  std::string symbol;  ///< in the cubin
  ElementType element = ElementType::f16;
  ElementType accumulator = ElementType::f32;  ///< also the type of D
  int stored = 1;                              ///< N of the N:M pattern of A; dense is 1:1
  int group = 1;                               ///< M
  int tile_m = 0, tile_n = 0, tile_k = 0;      ///< CTA tile; k in dense elements
  int warp_m = 0, warp_n = 0;                  ///< of a warp; of a warpgroup where `cluster` says so
  int stages = 0;
  std::uint32_t threads = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  int metadata_k = 0;  ///< dense k that one metadata word column covers
  /// CTAs of a cluster, along m, of a kernel whose warpgroups multiply and whose CTAs take tile after tile; 0: warps
  /// multiply, and each CTA computes one tile.
  int cluster = 0;
  std::vector<std::string> arguments;  ///< of A, E, B, D, m, n, k and maps of A and B
  std::map<int, std::string> cubins;   ///< path by SM version
  bool what_if = false;                ///< no hardware has its pattern: for time and traffic alone (what_if.h)
  std::optional<gemm::GemmSpec> spec;  ///< built by traces/gemm: there is no cubin

  bool sparse() const { return stored != group; }
  sparsity::Pattern pattern() const;
  std::string pattern_name() const;
};

struct Manifest {
  std::string file;
  std::string compiler;
  std::vector<LibraryKernel> kernels;

  static Manifest load(const std::string& folder);
  /// Adds warpgroup kernels of patterns that no hardware has (patterns.yaml).
  void add_patterns(const std::string& folder);
  /// Exact name, or the first kernel whose name continues `name` after an underscore
  /// ("f16_sp24_128x128x64"). nullptr when there is none.
  const LibraryKernel* find(const std::string& name) const;
  /// Same element, tile, warp tile and stages, but dense; nullptr when there is none.
  const LibraryKernel* dense_twin(const LibraryKernel& kernel) const;
  std::vector<std::string> names() const;
};

/// Folder of the library: the environment variable STC_KERNELS, or that of data_folder().
std::string default_kernels_folder();

}  // namespace stc::sim
