// SPDX-License-Identifier: Apache-2.0
// The plots of a comparison. Each returns HTML, or nothing when the report holds no data for it.
#pragma once

#include <string>

#include "sim/compare/compare_report.h"

namespace stc::sim {

/// Simulated against measured headline values on log axes with the diagonal, one drawing per kind of point.
std::string scatter_charts(const CompareReport& report);
/// How many points have which error of their headline metric.
std::string error_histograms(const CompareReport& report);
/// Sparse-to-dense speedup over the size of the product, one drawing per sparse kernel.
std::string speedup_charts(const CompareReport& report);
/// Rate of dense and sparse kernels over the size of the product, one drawing per pair of twins.
std::string rate_charts(const CompareReport& report);
/// Where the warps of the worst points spend their time.
std::string stall_chart(const CompareReport& report);
/// Instructions per cycle over warps and chains, one drawing per matrix instruction.
std::string throughput_charts(const CompareReport& report);

}  // namespace stc::sim
