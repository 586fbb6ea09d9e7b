// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/pattern_text.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "sim/base/error.h"

namespace stc::sim {

sparsity::Pattern read_pattern(const std::string& text, const std::string& place) {
  // N and M are looked at first, so that the message can say which of them is wrong.
  long n = 0, m = 0;
  if (std::sscanf(text.c_str(), "%ld:%ld", &n, &m) == 2) {
    if (n < 1) throw UserError(fmt::format("{}: pattern {}: N is {}, but at least one weight is kept", place, text, n));
    if (n > m) throw UserError(fmt::format("{}: pattern {}: N is greater than M", place, text));
    if (m > kLargestGroup) {
      throw UserError(fmt::format("{}: pattern {}: M is {}, but may be at most {}", place, text, m, kLargestGroup));
    }
  }
  try {
    return sparsity::Pattern::parse(text);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", place, error.what()));
  }
}

}  // namespace stc::sim
