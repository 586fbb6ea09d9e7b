// SPDX-License-Identifier: Apache-2.0
// What is told of a case: each figure once, with its column of cases.csv and its place in result.json.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "sim/explore/explore_report.h"

namespace stc::sim {

/// Nothing: null in JSON.
using CaseValue = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

/// "gpu,shape,m,...".
std::string case_csv_header();
std::string case_csv_fields(const ExploreReport& report, const CaseReport& one);
nlohmann::ordered_json case_json(const ExploreReport& report, const CaseReport& one);

}  // namespace stc::sim
