// SPDX-License-Identifier: Apache-2.0
// Cases that belong into one picture, and the colours that mean the same in all pictures.
#pragma once

#include <string>
#include <vector>

#include "sim/explore/explore_report.h"

namespace stc::sim {

/// Cases of one GPU, shape and type, in the order of the sweep.
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

/// The dense case of the same question; nullptr when it did not run.
const CaseReport* dense_of(const ExploreReport& report, const CaseReport& one);

}  // namespace stc::sim
