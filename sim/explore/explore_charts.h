// SPDX-License-Identifier: Apache-2.0
// The plots of a sweep's page, one function a section.
#pragma once

#include <string>

#include "sim/explore/explore_report.h"

namespace stc::sim {

std::string speedup_charts(const ExploreReport& report);
std::string heat_maps(const ExploreReport& report);
std::string byte_charts(const ExploreReport& report);
std::string metadata_table(const ExploreReport& report);
std::string pareto_charts(const ExploreReport& report);

}  // namespace stc::sim
