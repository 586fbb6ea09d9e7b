// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/explore/explore_report.h"
#include "sim/formats/weight_matrix.h"

namespace stc::sim {
namespace {

constexpr int kRows = 512;
constexpr int kColumns = 2048;

/// The same matrix without the columns at its end that fill no whole group.
WeightMatrix cropped(const WeightMatrix& weights, int columns) {
  WeightMatrix out{weights.source, weights.rows, columns, {}};
  out.values.reserve(static_cast<std::size_t>(weights.rows) * static_cast<std::size_t>(columns));
  for (int row = 0; row < weights.rows; ++row) {
    const auto begin = weights.values.begin() + std::ptrdiff_t{row} * weights.columns;
    out.values.insert(out.values.end(), begin, begin + columns);
  }
  return out;
}

}  // namespace

QualityTable pattern_quality(const Sweep& sweep, std::string& source) {
  const SweepWeights& from = sweep.weights;
  const WeightMatrix weights =
      from.file.empty() ? draw_weights(from.distribution, from.seed, kRows, kColumns) : read_npy(from.file);
  source = fmt::format("{} ({} x {})", weights.source, weights.rows, weights.columns);
  QualityTable table;
  for (const SweepCase& one : sweep.cases) {
    if (table.count(one.pattern.name()) != 0) continue;
    const int group = one.pattern.group_elements();
    if (weights.columns < group) {
      throw UserError(fmt::format("{}: has {} columns, fewer than a group of pattern {}", weights.source,
                                  weights.columns, one.pattern.name()));
    }
    const int columns = weights.columns / group * group;
    const WeightMatrix fitting = columns == weights.columns ? weights : cropped(weights, columns);
    table[one.pattern.name()] = kept_share(fitting, pattern_mask(one.pattern, fitting));
  }
  return table;
}

}  // namespace stc::sim
