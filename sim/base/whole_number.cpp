// SPDX-License-Identifier: Apache-2.0
#include "sim/base/whole_number.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {

std::string whole_number_error(const std::string& text, std::int64_t low, std::int64_t high) {
  const auto value = parse_integer(text);
  if (value && *value >= low && *value <= high) return "";
  return fmt::format("must be a whole number in {} .. {}, but is '{}'", low, high, text);
}

std::int64_t whole_number(const char* option, const std::string& text, std::int64_t low, std::int64_t high) {
  const std::string error = whole_number_error(text, low, high);
  if (!error.empty()) throw UserError(fmt::format("{}: {}", option, error));
  return *parse_integer(text);
}

}  // namespace stc::sim
