// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/error_statistics.h"

#include <cmath>
#include <limits>

#include "sim/base/median.h"

namespace stc::sim {
namespace {

double pearson_of(const std::vector<ValuePair>& pairs) {
  const auto count = static_cast<double>(pairs.size());
  double mean_x = 0, mean_y = 0;
  for (const ValuePair& pair : pairs) {
    mean_x += pair.measured / count;
    mean_y += pair.simulated / count;
  }
  double xx = 0, yy = 0, xy = 0;
  for (const ValuePair& pair : pairs) {
    const double x = pair.measured - mean_x, y = pair.simulated - mean_y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0.0;
}

}  // namespace

double relative_error(double simulated, double measured) {
  if (measured == 0) return simulated == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return simulated / measured - 1.0;
}

ErrorStatistics error_statistics(const std::vector<ValuePair>& pairs) {
  ErrorStatistics result;
  result.points = pairs.size();
  if (pairs.empty()) return result;
  std::vector<double> sizes;
  for (const ValuePair& pair : pairs) {
    const double error = relative_error(pair.simulated, pair.measured);
    const double size = std::fabs(error);
    sizes.push_back(size);
    result.mape += size / static_cast<double>(pairs.size());
    result.bias += error / static_cast<double>(pairs.size());
    if (result.worst_name.empty() || size > result.worst) {
      result.worst = size;
      result.worst_name = pair.name;
    }
  }
  result.median = mean_median(std::move(sizes));
  result.pearson = pearson_of(pairs);
  return result;
}

}  // namespace stc::sim
