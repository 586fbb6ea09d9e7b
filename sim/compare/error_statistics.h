// SPDX-License-Identifier: Apache-2.0
// How far simulated values are from measured ones.
//   error  = simulated / measured - 1 (0 when both are 0)
//   mape   = mean of |error|;  bias = mean of error;  median and worst are of |error|
//   pearson: correlation of simulated and measured; 0 with fewer than two points or without spread
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stc::sim {

struct ValuePair {
  std::string name;
  double simulated = 0;
  double measured = 0;
};

struct ErrorStatistics {
  std::size_t points = 0;
  double mape = 0;
  double median = 0;
  double worst = 0;
  std::string worst_name;
  double bias = 0;
  double pearson = 0;
};

double relative_error(double simulated, double measured);
ErrorStatistics error_statistics(const std::vector<ValuePair>& pairs);

}  // namespace stc::sim
