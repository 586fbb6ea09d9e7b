// SPDX-License-Identifier: Apache-2.0
// Options that are whole numbers: whatever else is given is answered with what is allowed.
#pragma once

#include <cstdint>
#include <string>

namespace stc::sim {

/// "must be a whole number in 0 .. 15, but is 'x'"; empty when `text` is one.
std::string whole_number_error(const std::string& text, std::int64_t low, std::int64_t high);

/// The value of `option`; UserError "--row x: must be ..." unless it lies in low .. high.
std::int64_t whole_number(const char* option, const std::string& text, std::int64_t low, std::int64_t high);

}  // namespace stc::sim
