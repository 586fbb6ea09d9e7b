// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace stc {

/// What a byte is for; traffic is counted per role at every level of the memory hierarchy.
enum class DataRole : std::uint8_t { kOther, kWeight, kMetadata, kActivation, kOutput };
constexpr int kDataRoles = 5;
const char* name_of(DataRole role);

}  // namespace stc
