// SPDX-License-Identifier: Apache-2.0
// Profiles as JSON: `stcsim inspect --profile-schema` prints what each key means.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/profile/launch_profile.h"

namespace stc::sim {

constexpr const char* kProfileSchema = "stcsim.profile/1";

nlohmann::ordered_json profile_json(const std::vector<LaunchProfile>& launches);
nlohmann::ordered_json profile_schema();

/// As profile_json() wrote it; UserError that names the file when it is no such profile.
std::vector<LaunchProfile> read_profile(const std::string& path);

}  // namespace stc::sim
