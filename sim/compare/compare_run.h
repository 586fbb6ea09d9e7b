// SPDX-License-Identifier: Apache-2.0
// Runs the tasks of all points that are not in the cache, on all cores, and joins.
#pragma once

#include <string>
#include <vector>

#include "sim/compare/compare_report.h"
#include "sim/compare/result_cache.h"

namespace stc::sim {

struct CompareProgress {
  std::size_t reused = 0;  ///< tasks whose result the cache had
  std::size_t run = 0;
};

/// One ComparedPoint per point, in their order. `cache_file` may be empty.
std::vector<ComparedPoint> run_points(const std::vector<ComparePoint>& points, const TaskContext& context,
                                      std::size_t workers, const std::string& cache_file, CompareProgress& progress);

}  // namespace stc::sim
