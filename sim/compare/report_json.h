// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON ("stcsim.compare/1") and as CSV, one row per point and metric.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/compare/compare_report.h"

namespace stc::sim {

constexpr const char* kCompareSchema = "stcsim.compare/1";

nlohmann::ordered_json compare_json(const CompareReport& report);
/// group, point, metric, unit, simulated, measured, error, bound, failure, remark
std::string compare_csv(const CompareReport& report);

}  // namespace stc::sim
