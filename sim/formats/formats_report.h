// SPDX-License-Identifier: Apache-2.0
// What `stcsim formats` found out about one weight matrix, and its three forms.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/formats/storage_formats.h"
#include "sim/formats/weight_matrix.h"
#include "sim/formats/weight_quality.h"

namespace stc::sim {

struct FormatsOptions {
  std::vector<sparsity::Pattern> patterns;
  std::string element;  ///< type that storage is counted in
  int element_bits = 16;
  int index_bits = 32;
};

/// One way to prune the matrix.
struct PruningReport {
  std::string name;  ///< "2:4", "2:4 both ways", "unstructured 50 %"
  std::string kind;  ///< "pattern", "transposable", "unstructured"
  double kept_fraction = 1.0;
  std::uint64_t legal_masks = 0;    ///< of a group; of a 4 x 4 block when transposable; 0 when unstructured
  double mask_bits_per_weight = 0;  ///< log2(legal masks) over the weights they cover: freedom, comparable across M
  KeptShare kept;
  KeptShare unstructured;  ///< bound at the same density
  double index_overhead = 0;
  FormatBytes bytes;
};

struct FormatsReport {
  std::string source;
  int rows = 0;
  int columns = 0;
  FormatsOptions options;
  std::vector<PruningReport> prunings;
  std::vector<std::string> left_out;  ///< sentences
};

FormatsReport make_formats_report(const WeightMatrix& weights, const FormatsOptions& options);

std::string formats_table(const FormatsReport& report);
std::string formats_csv(const FormatsReport& report);
nlohmann::ordered_json formats_json(const FormatsReport& report);

}  // namespace stc::sim
