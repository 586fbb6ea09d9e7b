// SPDX-License-Identifier: Apache-2.0
// The result of a run as JSON. sim/result/schema.json defines every key with its unit; validation/gpu writes the same.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/result/run_result.h"

namespace stc::sim {

constexpr const char* kResultSchema = "stcsim.result/1";

nlohmann::ordered_json result_json(const RunResult& result);

}  // namespace stc::sim
