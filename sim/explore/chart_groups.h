// SPDX-License-Identifier: Apache-2.0
// Cases that belong into one picture, and the colours that mean the same in all pictures.
#pragma once

#include <string>
#include <vector>

#include "sim/explore/explore_report.h"

namespace stc::sim {

/// Cases of one GPU, shape and type: dense first, then in the order of the sweep.
struct ChartGroup {
  std::string name;
  std::vector<const CaseReport*> cases;
};
std::vector<ChartGroup> groups_by_shape(const ExploreReport& report);
/// Cases of one GPU and type, all shapes.
std::vector<ChartGroup> groups_by_gpu(const ExploreReport& report);

/// Colour class of what limits a case, and all of them for a legend.
std::string colour_of_limit(const std::string& limit);
std::vector<std::string> limits();

/// Names of marks; those that would lie on each other become one, such as "1:2, 2:4".
struct MarkName {
  double x = 0, y = 0;
  std::string name;
};
/// `near_x` and `near_y`: how far apart two marks may be and still share a name.
std::vector<MarkName> joined_names(const std::vector<MarkName>& names, double near_x, double near_y);

/// The dense case of the same question; nullptr when it did not run.
const CaseReport* dense_of(const ExploreReport& report, const CaseReport& one);

}  // namespace stc::sim
