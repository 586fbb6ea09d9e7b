// SPDX-License-Identifier: Apache-2.0
// How far the model is known to be from silicon: validation/known_gaps.yaml. A gap has a limit on either side, so that
// one which closes is seen as well as one which grows.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace stc::silicon {

struct KnownGap {
  std::string table;      ///< file of validation/measured/h200, without .csv
  std::string filter;     ///< of micro_runner; for gemm and convolution that of `stcsim compare`
  std::string metric;     ///< key of sim/compare/metric.h
  int every = 1;          ///< only each so many-th point
  double low = 0;         ///< percent, mean absolute error over the points
  double high = 0;        ///< percent
  std::string explained;  ///< entry of validation/DEVIATIONS.md, or empty
};
void PrintTo(const KnownGap& gap, std::ostream* out);

/// Those of the tables `gemm` and `convolution` by that name, all others as "micro".
std::vector<KnownGap> known_gaps(const std::string& kind);

/// Expects low <= percent <= high. Where STC_KNOWN_GAPS_OUT names a file, writes a line there instead
/// (scripts/update_known_gaps).
void expect_gap(const KnownGap& gap, double percent);

}  // namespace stc::silicon
