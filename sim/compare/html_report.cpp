// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/html_report.h"
namespace stc::sim {
std::string compare_html(const CompareReport&, const std::optional<BaselineComparison>&) { return ""; }
}  // namespace stc::sim
