// SPDX-License-Identifier: Apache-2.0
// Every parameter of a GPU as JSON: key, value, unit, range, meaning, evidence (`stcsim gpu --json`).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/config/gpu_config.h"

namespace stc::sim {

constexpr const char* kGpuSchema = "stcsim.gpu/1";

nlohmann::ordered_json gpu_json(GpuConfig config);

}  // namespace stc::sim
