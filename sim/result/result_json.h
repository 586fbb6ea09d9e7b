// SPDX-License-Identifier: Apache-2.0
// The result of a run as JSON, simulated or measured (validation/gpu), and the schema that defines every key with its
// unit: `stcsim run --schema` prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/result/run_result.h"

namespace stc::sim {

constexpr const char* kResultSchema = "stcsim.result/1";

nlohmann::ordered_json result_json(const RunResult& result);
nlohmann::ordered_json result_schema();

}  // namespace stc::sim
