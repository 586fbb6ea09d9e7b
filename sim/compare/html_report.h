// SPDX-License-Identifier: Apache-2.0
// A comparison as one self-contained HTML page: tables and plots in inline SVG, no scripts, light and dark.
#pragma once

#include <optional>
#include <string>

#include "sim/compare/baseline.h"
#include "sim/compare/compare_report.h"

namespace stc::sim {

std::string compare_html(const CompareReport& report, const std::optional<BaselineComparison>& baseline);

}  // namespace stc::sim
