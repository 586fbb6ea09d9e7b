// SPDX-License-Identifier: Apache-2.0
// Simulated against measured, per group of microbenchmarks.
#pragma once

#include <string>
#include <vector>

#include "sim/micro/point.h"

namespace stc::micro {

/// A point and what came of it; `failure` is empty when the simulation ended well.
struct Result {
  const Point* point = nullptr;
  std::vector<double> simulated;
  double wall_s = 0;
  std::string failure;

  /// The number that is compared, and its measured counterpart: cycles of the slowest CTA (of the median CTA when all
  /// SMs take part, which repeats better), the last clock of the median warp, the median latency, the median CTA.
  double simulated_value() const;
  double measured_value() const;
  /// (simulated - measured) / measured.
  double error() const { return (simulated_value() - measured_value()) / measured_value(); }
};

/// One line for people.
std::string text_row(const Result& result);

/// One line of csv().
std::string csv_row(const Result& result);

/// Columns: those of the point, measured, simulated, error in percent, seconds, failure; clocks also as lists.
std::string csv(const std::vector<Result>& results);

/// Per group: points, failures, mean absolute error, bias, worst point.
std::string summary(const std::vector<Result>& results);

}  // namespace stc::micro
