// SPDX-License-Identifier: Apache-2.0
// The result of a run as a table for people.
#pragma once

#include <string>

#include "sim/result/run_result.h"

namespace stc::sim {

std::string result_table(const RunResult& result);

}  // namespace stc::sim
