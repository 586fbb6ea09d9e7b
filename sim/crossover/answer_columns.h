// SPDX-License-Identifier: Apache-2.0
// What is told of an answer: each figure once, as result.json has it. The columns of answers.csv are places in that.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/crossover/crossover_report.h"

namespace stc::sim {

/// GPU, shape and element type.
nlohmann::ordered_json contest_head_json(const CrossoverReport& report, const Contest& contest);
/// Figures of a point that failed are missing.
nlohmann::ordered_json answer_json(const CrossoverReport& report, const Answer& answer);

}  // namespace stc::sim
