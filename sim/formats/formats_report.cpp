// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/formats_report.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace stc::sim {
namespace {

using sparsity::Pattern;

class Reporter {
 public:
  Reporter(const WeightMatrix& weights, const FormatsOptions& options) : weights_(weights), options_(options) {
    report_.source = weights.source;
    report_.rows = weights.rows;
    report_.columns = weights.columns;
    report_.options = options;
  }

  FormatsReport run() {
    for (const Pattern& pattern : options_.patterns) add_pattern(pattern);
    add_transposable();
    for (auto& [kept, pruning] : unstructured_) report_.prunings.push_back(pruning);
    return report_;
  }

 private:
  void add_pattern(const Pattern& pattern) {
    PruningReport pruning;
    pruning.name = pattern.name();
    pruning.kind = "pattern";
    pruning.kept_fraction = pattern.kept_fraction();
    pruning.legal_masks = pattern.legal_masks();
    pruning.mask_bits_per_weight = std::log2(static_cast<double>(pruning.legal_masks)) / pattern.group_elements();
    finish(pruning, pattern_mask(pattern, weights_), pattern);
  }

  void add_transposable() {
    if (weights_.rows % 4 != 0 || weights_.columns % 4 != 0) {
      report_.left_out.push_back(
          fmt::format("transposable 2:4: {} x {} is not made of 4 x 4 blocks", weights_.rows, weights_.columns));
      return;
    }
    PruningReport pruning;
    pruning.name = "2:4 both ways";
    pruning.kind = "transposable";
    pruning.kept_fraction = 0.5;
    pruning.legal_masks = static_cast<std::uint64_t>(transposable_masks());
    pruning.mask_bits_per_weight = std::log2(static_cast<double>(pruning.legal_masks)) / 16;
    finish(pruning, transposable_mask(weights_), Pattern{2, 4});
  }

  void finish(PruningReport& pruning, const Mask& mask, const Pattern& pattern) {
    const MaskShape shape = shape_of(mask, weights_.rows, weights_.columns);
    pruning.kept = kept_share(weights_, mask);
    pruning.unstructured = unstructured(shape.nonzeros).kept;
    pruning.index_overhead = index_overhead(pattern, options_.element_bits);
    pruning.bytes = storage_formats(shape, pattern, options_.element_bits, options_.index_bits);
    report_.prunings.push_back(pruning);
  }

  const PruningReport& unstructured(std::uint64_t kept) {
    const auto known = unstructured_.find(kept);
    if (known != unstructured_.end()) return known->second;
    PruningReport pruning;
    const double share = static_cast<double>(kept) / static_cast<double>(weights_.values.size());
    pruning.name = fmt::format("unstructured {:.3g} %", 100 * share);
    pruning.kind = "unstructured";
    pruning.kept_fraction = share;
    const Mask mask = unstructured_mask(weights_, kept);
    pruning.kept = pruning.unstructured = kept_share(weights_, mask);
    pruning.bytes = storage_formats(shape_of(mask, weights_.rows, weights_.columns), std::nullopt,
                                    options_.element_bits, options_.index_bits);
    return unstructured_.emplace(kept, pruning).first->second;
  }

  const WeightMatrix& weights_;
  const FormatsOptions& options_;
  FormatsReport report_;
  std::map<std::uint64_t, PruningReport, std::greater<>> unstructured_;
};

}  // namespace

FormatsReport make_formats_report(const WeightMatrix& weights, const FormatsOptions& options) {
  return Reporter(weights, options).run();
}

}  // namespace stc::sim
