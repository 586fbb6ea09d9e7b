// SPDX-License-Identifier: Apache-2.0
// This comparison against an earlier one: which points got better, which worse.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/compare/compare_report.h"

namespace stc::sim {

struct BaselineChange {
  std::string id;
  std::string metric;
  double before = 0, now = 0;  ///< errors
};

struct BaselineComparison {
  std::string file;
  std::string git;                            ///< of the earlier report
  std::vector<BaselineChange> better, worse;  ///< largest change first
  std::size_t same = 0;                       ///< |error| differs by less than a tenth of a percent point
  std::size_t added = 0, removed = 0;         ///< points that only one of the reports has
  std::vector<std::string> failing_now;       ///< had a result before
  struct Summary {
    std::string group, metric;
    double before = 0, now = 0;  ///< mean absolute percentage errors
  };
  std::vector<Summary> summaries;  ///< those that both have and whose points are the same in number
};

/// An earlier report, read and checked as a whole, so that a wrong file shows before hours of simulation.
class Baseline {
 public:
  explicit Baseline(const std::string& file);  ///< UserError when it is no report of this program

  BaselineComparison compare(const CompareReport& report) const;

 private:
  using Errors = std::map<std::string, double>;  ///< by metric
  struct Summary {
    std::string group, metric;
    std::size_t points = 0;
    double mape = 0;
  };
  void compare_points(const CompareReport& report, BaselineComparison& result) const;

  std::string file_, git_;
  std::map<std::string, Errors> points_;  ///< by id; those without a result have no errors
  std::vector<Summary> summaries_;
};

}  // namespace stc::sim
