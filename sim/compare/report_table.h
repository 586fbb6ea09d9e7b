// SPDX-License-Identifier: Apache-2.0
// A comparison as text for a terminal: what a person wants to know first.
#pragma once

#include <optional>
#include <string>

#include "sim/compare/baseline.h"
#include "sim/compare/compare_report.h"

namespace stc::sim {

std::string compare_table(const CompareReport& report, const std::optional<BaselineComparison>& baseline);

/// "+3.21 %", "inf" when nothing was measured.
std::string percent(double fraction, bool with_sign = false);
/// The points with the largest errors of their headline metric, worst first.
std::vector<const ComparedPoint*> worst_points(const CompareReport& report, std::size_t count);

}  // namespace stc::sim
